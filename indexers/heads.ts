import type { BlockHeader } from '../src/chains/chain.ts'

/** The newest head that a subscription told. */
export interface ReportedHead {
  /** @param head null where only its being there was told */
  report(head: BlockHeader | null): void
  /** Takes it, once; null where nothing was told since. */
  take(): BlockHeader | null
  /** Whether the subscription tells heads as often as the chain makes blocks, so that polling can be rare. */
  isLively(): boolean
}

/** Missed heads of a subscription before it is no longer relied upon. */
const patience = 5
const minPatienceMs = 3000

export function createReportedHead(blockMs: number, now: () => number = Date.now): ReportedHead {
  let last: BlockHeader | null = null
  let at = Number.NEGATIVE_INFINITY
  return {
    report(head) {
      last = head
      at = now()
    },
    take() {
      const head = last
      last = null
      return head
    },
    isLively: () => now() - at < Math.max(minPatienceMs, patience * blockMs),
  }
}
