/** Maximum `Retry-After` that is honoured. */
export const maxRetryAfterMs = 24 * 3_600_000

const jitter = 0.2

/**
 * The backoff of webhook retries: the wait after attempt number `made` failed, with up to a fifth of jitter,
 * so that a recovered receiver does not get everything at once. A longer `Retry-After` is honoured, up to a
 * day. The retry schedule is `WEBHOOK_RETRY_SECONDS` (`settings.ts`).
 * @param schedule milliseconds before each attempt, the first included
 * @param random in [0, 1)
 * @returns milliseconds, or null if no attempt is left
 */
export function nextWait(
  schedule: readonly number[],
  made: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const wait = schedule[made]
  if (wait === undefined) return null
  return Math.max(Math.round(wait * (1 + jitter * random)), Math.min(retryAfterMs ?? 0, maxRetryAfterMs))
}

/** A `Retry-After` header as milliseconds from `now`: seconds or an HTTP date (RFC 9110, section 10.2.3). */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header.trim()) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
