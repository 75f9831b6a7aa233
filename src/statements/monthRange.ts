import { type FieldError, invalidParameters } from '../platform/errors.ts'

/** A month of a time zone: `from` included, `to` excluded. */
export interface MonthRange {
  from: Date
  to: Date
}

const hourMs = 3_600_000

/**
 * A month in a time zone. Not by Postgres: names that browsers use (`Asia/Calcutta`) are missing in some of
 * its installations.
 * @param month `2026-11`
 * @param timeZone IANA name
 * @throws ApiError 400 naming `month` or `timeZone`
 */
export function monthRange(month: string, timeZone: string): MonthRange {
  const [, year = '', number = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (year === '' || Number(year) < 2000)
    throw refused({ field: 'month', message: 'is not a month such as 2026-11' })
  const format = formatOf(timeZone)
  const startOf = (offset: number) =>
    firstMoment(format, new Date(Date.UTC(Number(year), Number(number) - 1 + offset, 1)))
  return { from: startOf(0), to: startOf(1) }
}

/** The month of a time in a time zone. */
export const monthAt = (time: Date, timeZone: string): string =>
  dateOf(formatOf(timeZone), time.getTime()).slice(0, 7)

const refused = (error: FieldError) => invalidParameters(error)

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  // An offset such as +01:00 is no zone: its months would not follow the clocks.
  if (!/^[A-Za-z]/.test(timeZone)) throw noZone()
  try {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    // A caller may name each zone in any case: the names known are few.
    if (formats.size < 1000) formats.set(timeZone, format)
    return format
  } catch {
    throw noZone()
  }
}

const noZone = () => refused({ field: 'timeZone', message: 'is not the IANA name of a time zone' })

/** `2026-11-30` */
const dateOf = (format: Intl.DateTimeFormat, at: number): string => {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

/** The first moment of a date: zones are at most 15 hours away from UTC, and a day may start after midnight. */
function firstMoment(format: Intl.DateTimeFormat, midnight: Date): Date {
  const date = midnight.toISOString().slice(0, 10)
  let [before, after] = [midnight.getTime() - 15 * hourMs, midnight.getTime() + 15 * hourMs]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (dateOf(format, middle) < date) before = middle
    else after = middle
  }
  return new Date(after)
}
