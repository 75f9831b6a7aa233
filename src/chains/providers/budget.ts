import { ProviderError } from '../chain.ts'

/** A refusal that says "too fast", not "broken". */
export class ThrottledError extends ProviderError {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Requests per second that one provider takes. Without a limit until it complains; then less than what was sent, growing again. */
export interface Budget {
  /** Takes the right to one request; gives the milliseconds to wait before it is sent, or null where that would be too long. */
  take(): number | null
  /** Milliseconds that the next request would wait. */
  waitMs(): number
  /** Milliseconds for which the provider asked to be left alone. */
  pausedMs(): number
  /** The provider said "too fast". */
  throttled(retryAfterMs: number): void
  /** Requests per second now; Infinity while nothing limits it. */
  rate(): number
}

/** What is left of the rate at a complaint, at most once a second: complaints about one burst are one complaint. */
const cut = 0.7
/** Growth for each second: a limit is found again a second after a cut, and complaints now and then do not add up to a stop. */
const growth = 1.5
/** A rate this many times what is really sent limits nothing and is forgotten. */
const idleFactor = 20
/** Even free plans take this many; below it a storm of complaints that has nothing to do with our rate would stop us. */
const minRate = 5

/**
 * Multiplicative decrease at a complaint, slow increase after: the limits of providers are unknown, change with the plan,
 * and are shared with whoever else uses the key.
 * @param mostWaitMs a request that would wait longer is not taken
 */
export function createBudget(maxWaitMs: number, now: () => number = Date.now): Budget {
  let rate = Number.POSITIVE_INFINITY
  let tokens = 0
  let refilledAt = now()
  let pausedUntil = 0
  let cutAt = Number.NEGATIVE_INFINITY
  // What was sent in the second that runs and in the one before.
  let second = Math.floor(now() / 1000)
  let sent = 0
  let sentBefore = 0

  function turn(): void {
    const current = Math.floor(now() / 1000)
    if (current === second) return
    sentBefore = current === second + 1 ? sent : 0
    sent = 0
    second = current
  }

  function refill(): void {
    turn()
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

  const wait = () => Math.max(0, pausedUntil - now()) + (rate === Number.POSITIVE_INFINITY ? 0 : (Math.max(0, 1 - tokens) / rate) * 1000)

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
        rate = Math.max(minRate, (rate === Number.POSITIVE_INFINITY ? Math.max(sent, sentBefore) : rate) * cut)
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
