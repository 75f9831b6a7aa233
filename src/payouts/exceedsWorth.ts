import { parseDecimal } from '../chains/amount.ts'

/** What a bank gets may be worth this much more, by the rate of now, than what is taken for it: rates fall between promise and payout. */
const maxShare = { of: 125n, in: 100n }

/**
 * Nothing proves the price of a row, and a partner pays what it is asked to: so what a payout pays is compared with what it takes.
 * @param amount base units of a token with `decimals`
 * @param rate units of the local currency for one token, now
 * @param localAmount whole units of the local currency
 */
export function exceedsWorth(amount: bigint, decimals: number, rate: string, localAmount: bigint): boolean {
  const mid = parseDecimal(rate)
  if (!mid) throw new Error(`not a rate: ${rate}`)
  return localAmount * 10n ** BigInt(decimals + mid.scale) * maxShare.in > amount * mid.value * maxShare.of
}
