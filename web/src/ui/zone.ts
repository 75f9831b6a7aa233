/** Zones of the clocks, by their IANA names: the same dates as src/platform/localDates.ts has. */

const secondMs = 1000
const dayMs = 86_400_000
const farthest = 15 * 3600

export const readersZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export function isZone(text: string): boolean {
  try {
    return /^[A-Za-z]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

/** The date that it is at a time, as `2026-11-30`. */
export const dateIn = (timeZone: string, at: Date | number): string => datesOf(timeZone)(at)

/** The month that it is at a time, as `2026-11`. */
export const monthIn = (timeZone: string, at: Date | number): string => dateIn(timeZone, at).slice(0, 7)

/** The first moment of a date such as `2026-11-30`; 0 o'clock may not exist, or comes twice. */
export function firstMoment(date: string, timeZone: string): Date {
  const dateAt = datesOf(timeZone)
  return firstWhere(Date.parse(`${date}T00:00:00Z`), (at) => dateAt(at) >= date)
}

/** The last millisecond of a date as an ISO time; undefined for any other text. */
export function endOfDate(date: string, timeZone: string): string | undefined {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(date) || !isDate(date)) return undefined
  const next = new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10)
  return new Date(firstMoment(next, timeZone).getTime() - 1).toISOString()
}

export const isMonth = (text: string): boolean => /^2\d{3}-(0[1-9]|1[0-2])$/.test(text)

/**
 * Converts the value of a `datetime-local` input, which the clocks of a zone show, to an ISO time. A time
 * that the clocks leave out is the first after it; of one that comes twice it is one of both.
 * @returns undefined if it is empty or no time
 */
export function fromZoneInput(value: string, timeZone: string): string | undefined {
  const [, date = '', time = ''] = /^([1-9]\d{3}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?$/.exec(value) ?? []
  const asUtc = Date.parse(`${date}T${time}:00Z`)
  if (Number.isNaN(asUtc) || !isDate(date)) return undefined
  const minuteAt = minutesOf(timeZone)
  return firstWhere(asUtc, (at) => minuteAt(at) >= `${date}T${time}`).toISOString()
}

/** Converts an ISO time to the value of a `datetime-local` input, by the clocks of a zone, to the minute. */
export const toZoneInput = (iso: string, timeZone: string): string => minutesOf(timeZone)(Date.parse(iso))

/** @param reached false before a moment near `around`, and true from it on */
function firstWhere(around: number, reached: (at: number) => boolean): Date {
  let [before, within] = [-farthest, farthest]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (reached(around + middle * secondMs)) within = middle
    else before = middle
  }
  return new Date(around + within * secondMs)
}

/** False for a date that the calendar does not have, such as February 30. */
function isDate(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
}

function datesOf(timeZone: string): (at: Date | number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
  }
}

/** The minute that it is at a time, as `2026-11-30T09:05`. */
function minutesOf(timeZone: string): (at: Date | number) => string {
  const dateAt = datesOf(timeZone)
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    numberingSystem: 'latn',
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (at) => `${dateAt(at)}T${clock.format(at)}`
}

export const zoneLabel = (timeZone: string): string => timeZone.replaceAll('_', ' ')

/** All zones that the browser knows, with UTC and the one that is set. */
export const zoneChoices = (chosen: string): { value: string; label: string }[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])]
    .sort()
    .map((value) => ({ value, label: zoneLabel(value) }))

/** A label with the zone by whose clocks its field is. */
export const labelInZone = (label: string, timeZone: string): string => `${label} (${zoneLabel(timeZone)})`
