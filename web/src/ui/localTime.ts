/** Converts an ISO time to the value of a `datetime-local` input, in the reader's zone, to the minute. */
export function toLocalInput(iso: string): string {
  const at = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/**
 * Converts the value of a `datetime-local` input to an ISO time in UTC; undefined if it is empty or invalid.
 */
export function fromLocalInput(value: string): string | undefined {
  const at = new Date(value)
  return value === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

const toTheSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** An ISO time as text, in the reader's zone, with seconds, to distinguish entries of one minute. */
export const exactTime = (iso: string): string => toTheSecond.format(new Date(iso))
