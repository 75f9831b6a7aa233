/** How far a provider is, by its requests of one call. */
export interface RoundTrip {
  answered(ms: number): void
  /** Waiting for an answer takes longer than reading it: true until an answer came. */
  isFar(): boolean
}

/**
 * An answer to a batch is split and held whole, which costs more than it saves where a request is answered
 * sooner than this.
 */
const farMs = 20

/** The quickest answer counts: others waited for the node's work or for this process. */
export function createRoundTrip(): RoundTrip {
  let quickestMs = Number.POSITIVE_INFINITY
  return {
    answered(ms) {
      quickestMs = Math.min(quickestMs, ms)
    },
    isFar: () => quickestMs >= farMs,
  }
}
