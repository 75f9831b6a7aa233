const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })

/** A day such as `2026-11-30` in the reader's words; it is the same day everywhere. */
export const dayText = (date: string): string => short.format(new Date(`${date}T00:00:00Z`))
export const wholeDayText = (date: string): string => long.format(new Date(`${date}T00:00:00Z`))
