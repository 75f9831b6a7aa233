import { type BridgeSpeed, finality } from '../chains/bridging.ts'
import { divide, parseDecimal } from '../money/amount.ts'
import type { BurnFee } from './attestations.ts'

export interface FeeQuote {
  /** What Circle keeps now, in base units. */
  fee: bigint
  /**
   * A fifth more, because it is fixed when the burn is signed by Circle; at least what the contract takes.
   */
  maxFee: bigint
}

export type FeeProblem = 'fast_not_available' | 'automatic_not_available'

/**
 * The fee of a burn.
 * @param minFee the least maximum that the contract takes
 */
export function quoteFee(
  fees: readonly BurnFee[],
  wanted: { amount: bigint; speed: BridgeSpeed; automatic: boolean; minFee: bigint },
): FeeQuote | FeeProblem {
  const found = fees.find((each) => each.finality === finality[wanted.speed])
  if (!found) {
    if (wanted.speed === 'fast') return 'fast_not_available'
    throw new Error('Circle has no fee of standard transfers')
  }
  if (wanted.automatic && found.forwardFee === null) return 'automatic_not_available'
  const rate = parseDecimal(found.basisPoints)
  if (!rate) throw new Error(`not a decimal: ${found.basisPoints}`)
  const protocol = divide(wanted.amount * rate.value, 10_000n * 10n ** BigInt(rate.scale), 'up')
  const fee = protocol + (wanted.automatic ? (found.forwardFee ?? 0n) : 0n)
  const withMargin = divide(fee * 6n, 5n, 'up')
  if (withMargin < wanted.minFee) return { fee, maxFee: wanted.minFee }
  return { fee, maxFee: withMargin }
}
