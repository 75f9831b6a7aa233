/** Transactions of one account that one node may know before the next one does. */
const maxAhead = 1000n

/**
 * The highest of the providers' counts, without those of nodes far ahead of all others: at an invented nonce
 * a transaction would never be mined. Those nodes alone are doubted. One provider is trusted.
 */
export function highestCount(
  providers: { doubt(source: string): void },
  counts: readonly { source: string; count: bigint }[],
): bigint | undefined {
  const sorted = [...counts].sort((a, b) => (a.count < b.count ? 1 : -1))
  for (const [index, { source, count }] of sorted.entries()) {
    const next = sorted[index + 1]
    if (!next || count - next.count <= maxAhead) return count
    providers.doubt(source)
  }
  return undefined
}
