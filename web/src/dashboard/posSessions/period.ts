import { dateIn, firstMoment } from '../../ui/zone.ts'

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

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(date) - days * 86_400_000).toISOString().slice(0, 10)
