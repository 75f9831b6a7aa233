import type { FeeStanding, MarketPrice } from '../../sending.ts'

/** Fees per unit of gas of an EIP-1559 transaction, in wei. */
export interface FeePrice {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/**
 * The minimum for each of the two fees of a replacement. geth (also bor, BSC, op-geth), Erigon, reth,
 * Nethermind and Besu require 10 % more, OpenEthereum 12.5 %, which this is, rounded up.
 */
export const minStep = (fee: bigint): bigint => larger(fee + 1n, (fee * 9n + 7n) / 8n)

/** Twice the base fee covers five full blocks, each of which raises it by an eighth (EIP-1559). */
export const marketPrice = ({ baseFee, tip }: MarketPrice): FeePrice => ({
  maxFeePerGas: 2n * baseFee + tip,
  maxPriorityFeePerGas: tip,
})

/**
 * The price of a transaction that replaces one of the price `last`: that of the market, but at least what
 * nodes require of a replacement, and at most `maxPerGas`.
 * @param moreTip a few wei, which make another transaction
 * @returns null if `maxPerGas` leaves no room
 */
export const replacementPrice = (
  last: FeePrice,
  market: MarketPrice,
  maxPerGas: bigint,
  moreTip = 0n,
): FeePrice | null => replacementAt(last, marketPrice(market), maxPerGas, moreTip)

/** The same for a wanted price. */
export function replacementAt(
  last: FeePrice,
  wanted: FeePrice,
  maxPerGas: bigint,
  moreTip = 0n,
): FeePrice | null {
  const min = minStep(last.maxFeePerGas)
  if (min > maxPerGas) return null
  const maxFeePerGas = smaller(larger(min, wanted.maxFeePerGas), maxPerGas)
  const tip = larger(minStep(last.maxPriorityFeePerGas), wanted.maxPriorityFeePerGas) + moreTip
  return { maxFeePerGas, maxPriorityFeePerGas: smaller(tip, maxFeePerGas) }
}

/** A price that is above `maxPerGas`, reduced to it; null if the next block would not include it. */
export function reducedPrice(wanted: FeePrice, market: MarketPrice, maxPerGas: bigint): FeePrice | null {
  const reduced = {
    maxFeePerGas: maxPerGas,
    maxPriorityFeePerGas: smaller(wanted.maxPriorityFeePerGas, maxPerGas),
  }
  return standingOf(reduced, market) === 'excluded' ? null : reduced
}

export function standingOf(
  { maxFeePerGas, maxPriorityFeePerGas }: FeePrice,
  { baseFee, tip }: MarketPrice,
): FeeStanding {
  // Block producers take no transaction that pays them nothing.
  if (maxFeePerGas <= baseFee) return 'excluded'
  return maxFeePerGas < baseFee + tip || maxPriorityFeePerGas < tip ? 'below' : 'enough'
}
