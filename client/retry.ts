import { ConnectionError, type CowryError } from './errors.ts'

const firstBackoffMs = 200
const maxBackoffMs = 8_000

export interface Repeating {
  /** Repeats so far. */
  repeats: number
  /** Maximum of repeats. */
  retries: number
  /** Repeating does no harm: a GET, or a request with an idempotency key. */
  safe: boolean
  /** If the server requests more, the caller gets the error instead of waiting. */
  maxWaitMs: number
}

/**
 * Milliseconds until the request is sent again; null: do not repeat. After 429, 503 and a failed connection
 * nothing was done; after 502, 504 and a lost connection the server may have executed it.
 */
export function waitBeforeRepeat(
  error: CowryError,
  repeating: Repeating,
  random: () => number = Math.random,
): number | null {
  const { repeats, retries, safe, maxWaitMs } = repeating
  if (repeats >= retries) return null
  if (!nothingWasDone(error) && !(safe && outcomeIsUnknown(error))) return null
  const asked = (error.retryAfterSeconds ?? 0) * 1000
  if (asked > maxWaitMs) return null
  // Half of it is fixed, so that a server in trouble gets its pause; half is random, so that clients do not
  // return all at once.
  const backoff = Math.min(maxBackoffMs, firstBackoffMs * 2 ** repeats)
  const jittered = backoff * (0.5 + random() / 2)
  return asked > 0 ? asked + backoff * random() : jittered
}

const nothingWasDone = (error: CowryError) =>
  error.status === 429 ||
  error.status === 503 ||
  (error instanceof ConnectionError && error.code === 'not_connected')
const outcomeIsUnknown = (error: CowryError) =>
  error.status === 502 || error.status === 504 || error instanceof ConnectionError

/** @throws the reason of an aborted signal */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
