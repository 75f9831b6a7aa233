import type { JsonRpc } from '../providers/jsonRpc.ts'
import { RpcError } from '../providers/jsonRpc.ts'

/**
 * Bounds of the price for a compute unit, in millionths of a lamport. The lower one: leaders drop what offers nothing first, and for a
 * transfer it is less than a lamport. The upper one: whatever a node says, the dearest transfer (60,000 units) pays 120,000 lamports
 * more, which is a few cents; a price that is really higher is one of seconds, and the transfer expires after a minute.
 */
export const [minPrice, maxPrice] = [1_000n, 2_000_000n]

/** What transactions that wrote to these accounts paid lately: the median of those that paid anything (Solana docs, "getRecentPrioritizationFees"). */
export async function priorityPrice(rpc: JsonRpc, writable: readonly string[]): Promise<bigint> {
  const paid = pricesOf(await recentFees(rpc, writable))
  const median = paid[Math.floor(paid.length / 2)] ?? minPrice
  if (median < minPrice) return minPrice
  return median > maxPrice ? maxPrice : median
}

/** Null where the node does not offer the method. */
async function recentFees(rpc: JsonRpc, writable: readonly string[]): Promise<unknown> {
  try {
    return await rpc.call('getRecentPrioritizationFees', [writable])
  } catch (error) {
    if (error instanceof RpcError && error.isUnsupported) return null
    throw error
  }
}

/** In order. */
function pricesOf(fees: unknown): bigint[] {
  const told = Array.isArray(fees) ? (fees as ({ prioritizationFee?: unknown } | null)[]) : []
  return told
    .map((each) => each?.prioritizationFee)
    .filter((fee): fee is number => Number.isSafeInteger(fee) && (fee as number) > 0)
    .sort((a, b) => a - b)
    .map(BigInt)
}
