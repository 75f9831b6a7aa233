import type { BlockHeader } from '../src/chains/chain.ts'

/** The newest head from a subscription. */
export interface ReportedHead {
  /** @param head null if only the existence of a new block is known */
  report(head: BlockHeader | null): void
  /** Takes the head, once; null if there was no new one. */
  take(): BlockHeader | null
  /** True while the subscription reports heads as often as the chain makes blocks: polling can be rare. */
  isLively(): boolean
}

/** Missed heads before the subscription is no longer relied on. */
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
