/** A height that a node reports, and the time of its block. */
export interface ReportedHeight {
  source: string
  height: number
  time: Date
}

/** Ten minutes: a block of about now, by this machine's clock. */
const maxSkewMs = 600_000
/** More blocks than any chain makes in twice that time. */
export const maxHeightsAhead = 5000

/**
 * The highest of the nodes' heights, without those that are far above all others, whose nodes alone are
 * doubted: one node cannot invent a head. Where some nodes report a block of about now, only these count, so
 * that a node that is stuck contradicts no other. One node is trusted.
 * @param reported at least one
 */
export function highestHead<T extends ReportedHeight>(
  providers: { doubt(source: string): void },
  reported: readonly T[],
  now: () => number = Date.now,
): T {
  const fresh = freshOf(reported, now)
  const sorted = [...(fresh.length > 0 ? fresh : reported)].sort((a, b) => b.height - a.height)
  for (const [index, each] of sorted.entries()) {
    const next = sorted[index + 1]
    // Of a chain that stands still, any node may be the one that is stuck.
    if (!next || fresh.length === 0 || each.height - next.height <= maxHeightsAhead) return each
    providers.doubt(each.source)
  }
  throw new Error('no node reported a height')
}

/**
 * The highest height that another node confirms within so many blocks; the nodes above it are doubted. Where
 * fewer than three nodes answer, or no node confirms another, that of `highestHead`: of two that differ,
 * either may be behind.
 */
export function highestConfirmed<T extends ReportedHeight>(
  providers: { doubt(source: string): void },
  reported: readonly T[],
  within: number,
  now: () => number = Date.now,
): T {
  const fresh = freshOf(reported, now)
  const confirmed = fresh.filter((each) =>
    fresh.some((other) => other !== each && Math.abs(other.height - each.height) <= within),
  )
  const [highest] = confirmed.sort((a, b) => b.height - a.height)
  if (fresh.length < 3 || !highest) return highestHead(providers, reported, now)
  for (const { source, height } of fresh) if (height > highest.height) providers.doubt(source)
  return highest
}

const freshOf = <T extends ReportedHeight>(reported: readonly T[], now: () => number): T[] =>
  reported.filter(({ time }) => Math.abs(now() - time.getTime()) <= maxSkewMs)
