import { divide, dollarDecimals, parseDecimal } from '../../money/amount.ts'
import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import type { BankPrice } from '../outflow.ts'
import { millionthsOf } from './outflowPartner.ts'

/**
 * The partner buys the currency at a rate of its own, a few percent from the mid rate, and rates move until
 * it pays.
 */
const amountBandPercent = 10n
/** Partners take about 1 %, and some a fixed amount for small payments. Millionths of a US dollar. */
const maxFeePercent = 3n
const maxFixedFee = 500_000n
/** Partners round to cents. */
const roundingSlack = 10_000n

type Claimed = Pick<PartnerPayment, 'amountUsd' | 'feeUsd'>

/**
 * What the price of a payout expects that the partner takes for it, without its fee, in millionths of a US
 * dollar.
 */
export function expectedCost({ localAmount, rate }: Pick<BankPrice, 'localAmount' | 'rate'>): bigint {
  const mid = parseDecimal(rate)
  if (!mid || mid.value <= 0n) throw new Error(`not a rate: ${rate}`)
  return divide(localAmount * 10n ** BigInt(dollarDecimals + mid.scale), mid.value, 'up')
}

/**
 * The cost of a payout as the partner reports it, in millionths of a US dollar. It is rounded up: the books
 * never have more at the partner than it has.
 * @returns null if the amount or the fee is outside the band around the priced one: such a cost is not booked
 * before an operator accepts it
 */
export function costInBand({ amountUsd, feeUsd }: Claimed, price: BankPrice): bigint | null {
  if (amountUsd === null) return null
  const [amount, fee, expected] = [
    millionthsOf(amountUsd, 'up'),
    millionthsOf(feeUsd ?? '0', 'up'),
    expectedCost(price),
  ]
  const maxFee = (expected * maxFeePercent) / 100n + maxFixedFee
  return isInBand(amount, expected) && fee >= 0n && fee <= maxFee ? amount + fee : null
}

/**
 * What the partner gives back for a payout that the bank has returned: the amount without the fee, at most
 * what it took.
 * @returns null if the answer names no amount that can be right
 */
export function returnedInBand({ amountUsd }: Claimed, price: BankPrice, taken: bigint): bigint | null {
  if (amountUsd === null) return null
  const amount = millionthsOf(amountUsd, 'down')
  return amount > 0n && amount <= taken && isInBand(amount, expectedCost(price)) ? amount : null
}

function isInBand(amount: bigint, expected: bigint): boolean {
  const slack = (expected * amountBandPercent) / 100n + roundingSlack
  return amount > 0n && amount >= expected - slack && amount <= expected + slack
}
