import { type ApiError, type FieldMistake, invalidParameters } from './errors.ts'

const secondMs = 1000
const hourMs = 3_600_000

/**
 * Refuses what is no zone. An offset such as +01:00 is none: its days would not follow the clocks.
 * @param refuse as the name came: with a body, or with other parameters
 * @throws ApiError 400 naming `timeZone`
 */
export function requireTimeZone(
  timeZone: string,
  refuse: (error: FieldMistake) => ApiError = invalidParameters,
): void {
  if (!formatOf(timeZone))
    throw refuse({
      field: 'timeZone',
      message: 'is not the IANA name of a time zone',
      code: 'invalid_time_zone',
    })
}

/** True for two names of one zone that differ in their spelling (`europe/berlin`), or where one is an alias. */
export const isSameZone = (one: string, other: string): boolean =>
  knownFormat(one).resolvedOptions().timeZone === knownFormat(other).resolvedOptions().timeZone

/** The date of a time by the clocks of a zone, as `2026-11-30`. @throws ApiError 400 naming `timeZone` */
export const localDate = (time: Date | number, timeZone: string): string =>
  dateOf(knownFormat(timeZone), time)

/**
 * The first moment of a date in a zone. Where the clocks change at midnight, 0 o'clock may not exist or comes
 * twice; a date that a zone left out has no length: it begins where the next one does. Not by Postgres: names
 * that browsers use (`Asia/Calcutta`) are missing in some of its installations.
 * @param date `2026-11-30`
 * @throws ApiError 400 naming `timeZone`
 */
export function firstMoment(date: string, timeZone: string): Date {
  const format = knownFormat(timeZone)
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // No zone is further from UTC than 14 hours, and each by whole seconds.
  let [before, within] = [-15 * (hourMs / secondMs), 15 * (hourMs / secondMs)]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dateOf(format, midnight + middle * secondMs) < date) before = middle
    else within = middle
  }
  return new Date(midnight + within * secondMs)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function knownFormat(timeZone: string): Intl.DateTimeFormat {
  requireTimeZone(timeZone)
  const format = formatOf(timeZone)
  if (!format) throw new Error(`no time zone: ${timeZone}`)
  return format
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone)
  if (known) return known
  if (!/^[A-Za-z]/.test(timeZone)) return null
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
    return null
  }
}

function dateOf(format: Intl.DateTimeFormat, time: Date | number): string {
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}
