/** A day of the reader, as `2026-11-30`. */
export function localDate(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** The last millisecond of a day of the reader; undefined for any other text. */
export function endOfDate(date: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? []
  if (year === undefined) return undefined
  const end = new Date(Number(year), Number(month) - 1, Number(day) + 1)
  return localDate(new Date(end.getTime() - 1)) === date
    ? new Date(end.getTime() - 1).toISOString()
    : undefined
}

export const isMonth = (text: string): boolean => /^2\d{3}-(0[1-9]|1[0-2])$/.test(text)
