/** Zones of the clocks, by their IANA names: the same dates as src/platform/localDates.ts has. */

const secondMs = 1000
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
  const midnight = Date.parse(`${date}T00:00:00Z`)
  let [before, within] = [-farthest, farthest]
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dateAt(midnight + middle * secondMs) < date) before = middle
    else within = middle
  }
  return new Date(midnight + within * secondMs)
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

export const zoneLabel = (timeZone: string): string => timeZone.replaceAll('_', ' ')

/** All zones that the browser knows, with UTC and the one that is set. */
export const zoneChoices = (chosen: string): { value: string; label: string }[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', chosen])]
    .sort()
    .map((value) => ({ value, label: zoneLabel(value) }))
