import { ProviderError } from '../chain.ts'

/** The provider limits our rate; it is not broken. */
export class ThrottledError extends ProviderError {
  override readonly code = 'provider_throttled'
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The request rate of one provider. Unlimited until it throttles; then below the rate that was sent, and
 * growing again.
 */
export interface Budget {
  /**
   * Reserves one request. @returns milliseconds to wait before it is sent; null if that exceeds `maxWaitMs`
   */
  take(): number | null
  /** Milliseconds that the next request would wait. */
  waitMs(): number
  /** Milliseconds left of the pause that the provider requested. */
  pausedMs(): number
  /** The provider answered "too fast". */
  throttled(retryAfterMs: number): void
  /** Requests per second now; Infinity without a limit. */
  rate(): number
}

/** Factor for the rate when throttled, at most once a second: a burst of throttled answers is one signal. */
const cut = 0.7
/**
 * Growth per second: it recovers from a cut in about a second, so that occasional throttling does not add up
 * to a stop.
 */
const growth = 1.5
/** A rate this many times the sent one limits nothing: drop the limit. */
const idleFactor = 20
/** Even free plans allow this rate. Without a minimum, throttling for other reasons would stop us. */
const minRate = 5

/**
 * Multiplicative decrease when throttled, slow increase after: the limits of providers are unknown, change
 * with the plan, and are shared with other users of the key.
 * @param maxWaitMs a request that would wait longer is refused
 */
export function createBudget(maxWaitMs: number, now: () => number = Date.now): Budget {
  let rate = Number.POSITIVE_INFINITY
  let tokens = 0
  let refilledAt = now()
  let pausedUntil = 0
  let cutAt = Number.NEGATIVE_INFINITY
  // Requests sent in the current second and in the previous one.
  let second = Math.floor(now() / 1000)
  let sent = 0
  let sentBefore = 0

  function startSecond(): void {
    const current = Math.floor(now() / 1000)
    if (current === second) return
    sentBefore = current === second + 1 ? sent : 0
    sent = 0
    second = current
  }

  function refill(): void {
    startSecond()
    if (rate === Number.POSITIVE_INFINITY) return
    const at = now()
    const from = Math.max(refilledAt, pausedUntil)
    if (at <= from) return
    const seconds = (at - from) / 1000
    tokens = Math.min(Math.max(1, rate), tokens + rate * seconds)
    rate *= growth ** seconds
    refilledAt = at
    if (rate > idleFactor * Math.max(10, sent, sentBefore)) rate = Number.POSITIVE_INFINITY
  }

  const wait = () =>
    Math.max(0, pausedUntil - now()) +
    (rate === Number.POSITIVE_INFINITY ? 0 : (Math.max(0, 1 - tokens) / rate) * 1000)

  return {
    take() {
      refill()
      const ms = wait()
      if (ms > maxWaitMs) return null
      if (rate !== Number.POSITIVE_INFINITY) tokens -= 1
      sent++
      return ms
    },
    waitMs() {
      refill()
      return wait()
    },
    pausedMs: () => Math.max(0, pausedUntil - now()),
    throttled(retryAfterMs) {
      refill()
      const at = now()
      if (at >= pausedUntil && at - cutAt >= 1000) {
        rate = Math.max(
          minRate,
          (rate === Number.POSITIVE_INFINITY ? Math.max(sent, sentBefore) : rate) * cut,
        )
        tokens = Math.min(tokens, 0)
        cutAt = at
      }
      pausedUntil = Math.max(pausedUntil, at + retryAfterMs)
      refilledAt = at
    },
    rate() {
      refill()
      return rate
    },
  }
}
