import { ConnectionError, type CowryError } from './errors.ts'

const firstBackoffMs = 200
const longestBackoffMs = 8_000

export interface Repeating {
  /** How often the request was repeated already. */
  repeats: number
  /** How often it may be. */
  retries: number
  /** Carrying it out twice does no harm: a GET, or a request with an idempotency key. */
  safe: boolean
  /** Where the server asks for more, the caller gets the error: it is not held up, and the server is not asked too early. */
  longestWaitMs: number
}

/**
 * Milliseconds to wait before the request is sent again; null: it is not. 429, 503 and a connection that was never made mean that
 * nothing was done; after 502, 504 and a lost connection the request may have been carried out.
 */
export function waitBeforeRepeat(error: CowryError, repeating: Repeating, random: () => number = Math.random): number | null {
  const { repeats, retries, safe, longestWaitMs } = repeating
  if (repeats >= retries) return null
  if (!nothingWasDone(error) && !(safe && outcomeIsUnknown(error))) return null
  const asked = (error.retryAfterSeconds ?? 0) * 1000
  if (asked > longestWaitMs) return null
  // At least half of it, so that a server in trouble gets its pause; the rest by chance, so that not all clients come back at once.
  const backoff = Math.min(longestBackoffMs, firstBackoffMs * 2 ** repeats)
  const jittered = backoff * (0.5 + random() / 2)
  return asked > 0 ? asked + backoff * random() : jittered
}

const nothingWasDone = (error: CowryError) =>
  error.status === 429 || error.status === 503 || (error instanceof ConnectionError && error.code === 'not_connected')
const outcomeIsUnknown = (error: CowryError) => error.status === 502 || error.status === 504 || error instanceof ConnectionError

/** @throws the signal's reason once it is aborted */
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
