const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The wait before each attempt, the first included. */
export const retrySchedule: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const jitter = 0.2

/**
 * How long to wait after attempt number `made` failed, spread by up to a fifth so that a receiver that comes
 * back is not met by everything at once. A longer `Retry-After` of the receiver is honoured, up to a day.
 * @param random in [0, 1)
 * @returns milliseconds, or null when no attempt is left
 */
export function nextWait(made: number, retryAfterMs: number | null, random: number): number | null {
  const wait = retrySchedule[made]
  if (wait === undefined) return null
  return Math.max(Math.round(wait * (1 + jitter * random)), Math.min(retryAfterMs ?? 0, 24 * hour))
}

/** A `Retry-After` header as milliseconds from `now`: seconds or an HTTP date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * second
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
