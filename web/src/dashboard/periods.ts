import { dateIn, firstMoment, fromZoneInput } from '../ui/zone.ts'

/** Times of a list, by the calendar of the business. */
export const periods = {
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Last 7 days',
  month: 'This month',
} as const
export type Period = keyof typeof periods

export const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text)

/** The start and the end of a period as ISO times. @param timeZone of IANA, such as `Africa/Lagos` */
export function periodTimes(period: Period, now: Date, timeZone: string): { since: string; until?: string } {
  const today = dateIn(timeZone, now)
  const startOf = (date: string) => firstMoment(date, timeZone).toISOString()
  switch (period) {
    case 'today':
      return { since: startOf(today) }
    case 'yesterday':
      return { since: startOf(daysBefore(today, 1)), until: startOf(today) }
    case 'week':
      return { since: startOf(daysBefore(today, 6)) }
    case 'month':
      return { since: startOf(`${today.slice(0, 7)}-01`) }
  }
}

export interface Times {
  since: string | undefined
  until: string | undefined
}

/** The times in the page's URL, which has them by the clocks of the zone, as their inputs do. */
export const readTimes = (
  search: URLSearchParams,
  timeZone: string,
  names: { since: string; until: string } = { since: 'since', until: 'until' },
): Times => ({
  since: fromZoneInput(search.get(names.since)?.trim() ?? '', timeZone),
  until: fromZoneInput(search.get(names.until)?.trim() ?? '', timeZone),
})

/** The same where the URL may also have a `period`, which replaces the times. */
export function readPeriod(search: URLSearchParams, now: Date, timeZone: string): Times {
  const period = search.get('period')?.trim() ?? ''
  return isPeriod(period)
    ? { until: undefined, ...periodTimes(period, now, timeZone) }
    : readTimes(search, timeZone)
}

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)
