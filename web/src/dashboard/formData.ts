/** The text of a form's field; empty where there is none. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** The same without the space around it, which nobody means. */
export const trimmed = (data: FormData, name: string): string => textOf(data, name).trim()
