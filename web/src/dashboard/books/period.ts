/** A month as `2026-11`. */
export const monthOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`

/**
 * A month in the reader's zone, from its first moment to that of the next month; undefined for any other
 * text.
 */
export function periodOf(month: string): { from: string; to: string } | undefined {
  const [, year = '', number = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year === '') return undefined
  const first = (offset: number) => new Date(Number(year), Number(number) - 1 + offset, 1).toISOString()
  return { from: first(0), to: first(1) }
}
