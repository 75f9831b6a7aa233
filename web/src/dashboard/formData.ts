/** The text of a form's field; empty if the field is missing. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** The same without surrounding white space. */
export const trimmed = (data: FormData, name: string): string => textOf(data, name).trim()
