import type { TransferFacts } from './transferFacts.ts'

/**
 * Seconds from the close of the newest ledger (the network compares ledger times, not our clock) until a
 * transaction expires. Enough for a busy minute and a retry; short enough for a caller that waits for the
 * outcome.
 */
export const lifetimeSeconds = 300

/**
 * Stroops for an operation. The network's minimum (Stellar docs, "Fees"), and our maximum bid: 0.1 XLM, a
 * thousand times the usual fee. If fees exceed it, the transaction expires.
 */
const [minFee, maxFee] = [100n, 1_000_000n]

/** The fee of one operation: the usual one, and our bid. */
export function bidsOf({ usual, high }: TransferFacts['fees']): { usual: bigint; bid: bigint } {
  const bid = within(minFee, high, maxFee)
  return { usual: within(minFee, usual, bid), bid }
}

function within(min: bigint, value: bigint, max: bigint): bigint {
  if (value < min) return min
  return value > max ? max : value
}
