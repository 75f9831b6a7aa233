/**
 * How many calls one provider takes in a request. Its limit is unknown: the size starts small, grows while
 * answers come in time, and falls.
 */
export interface BatchSize {
  /** Calls in the next request; 1: no batches. */
  size(): number
  /** A request was answered. @param bytes of the whole answer */
  answered(calls: number, ms: number, bytes: number): void
  /** A request had no answer. */
  failed(calls: number): void
  /** The provider refused a batch of that size, and might answer its calls one by one. */
  refused(calls: number): void
}

const firstSize = 2
/** Public providers accept batches of 100 calls; some refuse 1,000. */
const maxSize = 100
/** An answer that took longer leaves no room for one of twice the size: a timeout would lose it. */
const inTimeMs = 500
const slowMs = 2000
/** Bytes of an answer. Sixteen requests are under way, and each is held until its last byte. */
const maxBytes = 4 << 20
/**
 * A size that was refused is not tried again for this long. The calls are sent again one by one, so a try
 * costs little.
 */
const refusedMs = 60_000

export function createBatchSize(now: () => number = Date.now): BatchSize {
  let size = firstSize
  let refusedSize = Number.POSITIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY

  const limit = (): number => (now() - refusedAt < refusedMs ? Math.min(maxSize, refusedSize - 1) : maxSize)
  const halve = (calls: number) => {
    size = Math.max(1, Math.min(size, Math.floor(calls / 2)))
  }

  const current = () => Math.min(size, limit())

  return {
    size: current,
    answered(calls, ms, bytes) {
      if (ms > slowMs || bytes > maxBytes) halve(calls)
      // Only whole requests show that more would be taken, and of those under way together only the first.
      else if (calls === current() && ms < inTimeMs && bytes * 2 <= maxBytes)
        size = Math.min(calls * 2, maxSize)
    },
    failed: halve,
    refused(calls) {
      const isOver = now() - refusedAt >= refusedMs
      refusedSize = isOver ? calls : Math.min(refusedSize, calls)
      refusedAt = now()
      halve(calls)
    },
  }
}
