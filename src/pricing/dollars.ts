import { registeredChain } from '../chains/registry.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { dollarDecimals, parseDecimal, type Rounding, rescale } from '../money/amount.ts'
import type { CoinPrices } from './coinPrices.ts'

/** As many decimal places as any token has. */
const places = 18

/** What is taken of an asset, in base units. */
export interface Taken {
  chain: string
  token: string
  amount: bigint
}

/**
 * An amount in US dollars, in units of 10^-18: a stablecoin one for one, native coin by its price, rounded
 * up.
 * @returns null for native coin without a price
 */
export function inDollars(coinUsd: CoinPrices, { chain, token, amount }: Taken): bigint | null {
  const coins = rescale({ value: amount, scale: tokenDecimals(chain, token) }, places, 'up')
  if (token !== registeredChain(chain).native.symbol) return coins
  const price = coinUsd.get(token)
  return price ? (coins * price.numerator + price.denominator - 1n) / price.denominator : null
}

/** An amount of a stablecoin in the unit of a partner's account: millionths of a US dollar, one for one. */
export const inMillionths = ({ chain, token, amount }: Taken, rounding: Rounding): bigint =>
  rescale({ value: amount, scale: tokenDecimals(chain, token) }, dollarDecimals, rounding)

/** @param text a decimal. @throws Error for any other text */
export function dollarsOf(text: string): bigint {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not an amount in dollars: ${text}`)
  return rescale(decimal, places, 'down')
}
