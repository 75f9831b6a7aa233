import type { Token } from '../chains/action.ts'
import type { Ratio } from '../money/ratio.ts'
import type { CoinPrices } from '../pricing/coinPrices.ts'

export interface CostRules {
  /** The maximum share of a sweep's value that it may cost. */
  maxShare: Ratio
  coinUsd: CoinPrices
}

/**
 * Checks if a sweep costs at most its share of what it moves. A stablecoin counts one US dollar; native coin
 * is compared with the fee itself. Without a price of the native coin tokens are swept at any cost, which the
 * limits of fees still bound.
 * @param cost base units of the native coin
 */
export function isWorthwhile(
  { maxShare, coinUsd }: CostRules,
  { token, amount, cost }: { token: Token | null; amount: bigint; cost: bigint },
  native: { symbol: string; decimals: number },
): boolean {
  if (token === null) return cost * maxShare.denominator <= amount * maxShare.numerator
  const price = coinUsd.get(native.symbol)
  if (!price) return true
  // cost / 10^native × price ≤ amount / 10^decimals × share, without a division.
  const left = cost * price.numerator * maxShare.denominator * 10n ** BigInt(token.decimals)
  return left <= amount * maxShare.numerator * price.denominator * 10n ** BigInt(native.decimals)
}
