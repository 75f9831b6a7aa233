/** Health of one provider, from its answers. */
export interface Health {
  succeeded(): void
  failed(): void
  /** It answered with data that cannot be right. */
  doubted(): void
  /** Only comparable calls count, which all providers get: the head. */
  measured(ms: number): void
  /** The breaker is closed, or has been open long enough for one trial request. */
  available(): boolean
  /** A request starts. */
  began(): void
  /** The request ended without a result about its health. */
  ended(): void
  /** The time of the next trial request; 0 while the breaker is closed. */
  openUntil(): number
  /**
   * Lower is better: latency in milliseconds, increased by recent failures. Null before the first
   * measurement.
   */
  score(): number | null
}

// The circuit breaker of a provider opens after so many failures, and longer each time.
const failuresToOpen = 5
const openMs = { first: 1000, max: 30_000 }
/** Weight of the newest answer in the averages. */
const weight = 0.2
/** The weight of a failure halves in this time. */
const halfLifeMs = 30_000
/** Factor on the latency of a provider that always fails. */
const failurePenalty = 20

export function createHealth(now: () => number = Date.now): Health {
  let latency: number | null = null
  let failureRate = 0
  let ratedAt = now()
  let consecutive = 0
  let trips = 0
  let doubts = 0
  let openedUntil = 0
  let trying = false

  const decayed = () => failureRate * 0.5 ** ((now() - ratedAt) / halfLifeMs)
  const rate = (outcome: 0 | 1) => {
    failureRate = decayed() * (1 - weight) + outcome * weight
    ratedAt = now()
  }

  return {
    succeeded() {
      rate(0)
      consecutive = 0
      trips = 0
      openedUntil = 0
      trying = false
    },
    failed() {
      rate(1)
      consecutive++
      trying = false
      if (consecutive < failuresToOpen) return
      openedUntil = now() + Math.min(openMs.first * 2 ** trips, openMs.max)
      trips++
    },
    ended() {
      trying = false
    },
    doubted() {
      for (let i = 0; i < failuresToOpen; i++) rate(1)
      openedUntil = now() + Math.min(openMs.first * 2 ** doubts, openMs.max)
      doubts++
    },
    measured(ms) {
      latency = latency === null ? ms : latency * (1 - weight) + ms * weight
    },
    available: () => openedUntil === 0 || (now() >= openedUntil && !trying),
    began() {
      // Half open: a single trial request.
      trying = openedUntil !== 0
    },
    openUntil: () => openedUntil,
    score: () => (latency === null ? null : latency * (1 + failurePenalty * decayed())),
  }
}
