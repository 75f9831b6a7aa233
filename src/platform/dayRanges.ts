import { invalidParameters } from './errors.ts'

/** A day of a time zone. */
export interface DayRange {
  /** `2026-11-30` */
  date: string
  from: Date
  /** Not included. */
  until: Date
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * The last days of a time zone with today, the oldest first. Not by Postgres: the names that browsers use
 * (`Asia/Calcutta`) are missing in some of its installations.
 * @param timeZone IANA name
 * @throws ApiError 400 naming `timeZone`
 */
export function dayRanges(timeZone: string, count: number, now: Date): DayRange[] {
  const dateAt = datesIn(timeZone)
  const today = Date.parse(dateAt(now.getTime()))
  const starts = Array.from({ length: count + 1 }, (_, index) =>
    startOf(today - (count - 1 - index) * dayMs, dateAt),
  )
  return starts.slice(0, count).map(({ date, at }, index) => ({
    date,
    from: new Date(at),
    until: new Date(starts[index + 1]?.at ?? at),
  }))
}

type DateAt = (time: number) => string

function datesIn(timeZone: string): DateAt {
  try {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    if (/^[A-Za-z]/.test(timeZone)) return (time) => format.format(time)
  } catch {
    // The same answer.
  }
  throw invalidParameters({ field: 'timeZone', message: 'is not the IANA name of a time zone' })
}

/**
 * The first moment of a day: where the clocks change at midnight, 0 o'clock may not exist, or comes twice.
 * @param utc midnight of that date in UTC
 */
function startOf(utc: number, dateAt: DateAt): { date: string; at: number } {
  const date = new Date(utc).toISOString().slice(0, 10)
  // No zone is further from UTC than 14 hours.
  let [before, within] = [utc - 15 * hourMs, utc + 15 * hourMs]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dateAt(middle) < date) before = middle
    else within = middle
  }
  return { date, at: within }
}
