import type { FieldMistake } from './errors.ts'

/**
 * Host names of a list that a business keeps: in lower case, each once, and what is wrong with them.
 * @param list.field the field with the list @param list.what as a mistake names one
 * @param isTaken whether the list may have a name
 */
export function readHostNames(
  hosts: readonly string[],
  { field, what }: { field: string; what: string },
  isTaken: (name: string) => boolean,
): { names: string[]; wrong: FieldMistake[] } {
  const names = hosts.map((host) => host.trim().toLowerCase())
  const wrong = names.flatMap((name, at) =>
    isTaken(name)
      ? []
      : [
          {
            field: `${field}.${at}`,
            message: `must be ${what}, as shop.example.com: without https://, a port, a path or *`,
            code: 'invalid_form' as const,
          },
        ],
  )
  return { names: [...new Set(names)], wrong }
}
