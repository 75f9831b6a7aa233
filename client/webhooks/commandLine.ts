/** Surroundings of the program. */
export interface Surroundings {
  env: Record<string, string | undefined>
  out(text: string): void
  err(text: string): void
  /** Aborted when the program has to stop. */
  signal?: AbortSignal
}

/** Its message holds no key. */
export class UsageError extends Error {}

/**
 * @param options with a value
 * @param flags without one
 * @throws UsageError
 */
export function readArguments(
  args: readonly string[],
  options: readonly string[],
  flags: readonly string[] = [],
): { given: Map<string, string>; plain: string[] } {
  const given = new Map<string, string>()
  const plain: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const [, name = '', value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? []
    if (flags.includes(name) && value === undefined) given.set(name, '')
    else if (options.includes(name)) given.set(name, value ?? args[++index] ?? '')
    else if (arg.startsWith('-')) throw new UsageError(`Unknown option: ${arg.slice(0, 20)}`)
    else plain.push(arg)
  }
  return { given, plain }
}
