import { parseDecimal } from '../../money/amount.ts'
import { hundredPercent, percent } from '../../money/percent.ts'

/**
 * A partner pays the requested amount, so what a payout pays is compared with what it takes.
 * @param amount base units of a token with `decimals`
 * @param rate units of the local currency for one token, now
 * @param localAmount whole units of the local currency
 * @param maxPercent by which the bank may get more, by the rate of now: rates fall between price and payout
 */
export function exceedsWorth(
  amount: bigint,
  decimals: number,
  rate: string,
  localAmount: bigint,
  maxPercent: string,
): boolean {
  const mid = parseDecimal(rate)
  if (!mid) throw new Error(`not a rate: ${rate}`)
  const worth = amount * mid.value * (hundredPercent + percent(maxPercent))
  return localAmount * 10n ** BigInt(decimals + mid.scale) * hundredPercent > worth
}
