import { firstMoment, localDate } from './localDates.ts'

/** A day of a time zone. */
export interface DayRange {
  /** `2026-11-30` */
  date: string
  from: Date
  /** Not included. */
  until: Date
}

const dayMs = 24 * 3_600_000

/**
 * The last days of a time zone with today, the oldest first.
 * @param timeZone IANA name
 * @throws ApiError 400 naming `timeZone`
 */
export function dayRanges(timeZone: string, count: number, now: Date): DayRange[] {
  const today = Date.parse(localDate(now, timeZone))
  const starts = Array.from({ length: count + 1 }, (_, index) => {
    const date = new Date(today - (count - 1 - index) * dayMs).toISOString().slice(0, 10)
    return { date, from: firstMoment(date, timeZone) }
  })
  return starts.slice(0, count).map(({ date, from }, index) => ({
    date,
    from,
    until: starts[index + 1]?.from ?? from,
  }))
}
