const hidden = '****'
const maxShown = 4

/** The last four characters, and never more than half of a text. */
export function masked(text: string): string {
  const shown = Math.min(maxShown, Math.floor(text.length / 2))
  return `${hidden}${text.slice(text.length - shown)}`
}

/** The first character, and the domain. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}${hidden}${email.slice(at)}`
}
