import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { RpcError } from '../../providers/jsonRpc.ts'

/**
 * Bounds of the price of a compute unit, in millionths of a lamport. Lower: leaders drop transactions without
 * a bid first, and a transfer pays only 2 to 60 lamports for it. Upper: on any answer of a node, the largest
 * transfer (60,000 units) pays at most 120,000 lamports, a few cents; calls pay at most 2,800,000 (1,400,000
 * units). Higher market prices last seconds, and the transaction expires after a minute.
 */
export const [minPrice, maxPrice] = [1_000n, 2_000_000n]

/**
 * The median price of recent transactions that wrote to these accounts and paid one (Solana docs,
 * "getRecentPrioritizationFees").
 */
export async function priorityPrice(rpc: JsonRpc, writable: readonly string[]): Promise<bigint> {
  const paid = pricesOf(await recentFees(rpc, writable))
  const median = paid[Math.floor(paid.length / 2)] ?? minPrice
  if (median < minPrice) return minPrice
  return median > maxPrice ? maxPrice : median
}

/** Null if the node does not support the method. */
async function recentFees(rpc: JsonRpc, writable: readonly string[]): Promise<unknown> {
  try {
    return await rpc.call('getRecentPrioritizationFees', [writable])
  } catch (error) {
    if (error instanceof RpcError && error.isUnsupported) return null
    throw error
  }
}

/** The prices above zero, ascending. */
function pricesOf(fees: unknown): bigint[] {
  const entries = Array.isArray(fees) ? (fees as ({ prioritizationFee?: unknown } | null)[]) : []
  return entries
    .map((each) => each?.prioritizationFee)
    .filter((fee): fee is number => Number.isSafeInteger(fee) && (fee as number) > 0)
    .sort((a, b) => a - b)
    .map(BigInt)
}
