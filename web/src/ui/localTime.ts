import { readersZone } from './zone.ts'

const styles = {
  short: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
} as const
/** A list has many times, and each new format costs more than the time's text. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** An ISO time as text, by the clocks of a zone. `exact`: with seconds, to distinguish entries of one minute. */
export function timeText(iso: string, style: keyof typeof styles, timeZone: string): string {
  const key = `${style} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(undefined, { ...styles[style], timeZone })
  formats.set(key, format)
  return format.format(new Date(iso))
}

/** An ISO time as text, in the reader's zone, with seconds. */
export const exactTime = (iso: string): string => timeText(iso, 'exact', readersZone())
