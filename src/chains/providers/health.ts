/** What is known of one provider from how it answered. */
export interface Health {
  succeeded(): void
  failed(): void
  /** It answers, and what it tells cannot be right. */
  doubted(): void
  /** Like calls of all providers are compared, so only those that all are asked count: the head. */
  measured(ms: number): void
  /** Whether it may be asked now: the breaker is closed, or has been open for long enough to let one try through. */
  available(): boolean
  /** Somebody asks it now. */
  began(): void
  /** It was asked, and what came says nothing about its health. */
  ended(): void
  /** When the breaker lets the next try through; 0 while it is closed. */
  openUntil(): number
  /** The lower the better: latency in milliseconds, made worse by recent failures. Null while nothing was measured. */
  score(): number | null
}

const failuresToOpen = 5
const openMs = { first: 1000, max: 30_000 }
/** Share that the newest answer has in the averages. */
const weight = 0.2
/** A failure counts half after this long. */
const halfLifeMs = 30_000
/** A provider that fails always is this many times worse than its latency says. */
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
      // Half open: one caller finds out for all.
      trying = openedUntil !== 0
    },
    openUntil: () => openedUntil,
    score: () => (latency === null ? null : latency * (1 + failurePenalty * decayed())),
  }
}
