import { parseDecimal, type Rounding, rescale } from '../chains/amount.ts'
import { dollarDecimals } from '../ledger/entry.ts'
import { tokenDecimals } from './decimals.ts'

/** As many decimal places as any token has. */
const places = 18

/** An amount of a stablecoin in US dollars, one for one: exact, in units of 10^-18. */
export const inDollars = (chain: string, token: string, amount: bigint): bigint =>
  rescale({ value: amount, scale: tokenDecimals(chain, token) }, places, 'up')

/** An amount of a stablecoin in the unit of a partner's account: millionths of a US dollar, one for one. */
export const inMillionths = ({ chain, token, amount }: { chain: string; token: string; amount: bigint }, rounding: Rounding): bigint =>
  rescale({ value: amount, scale: tokenDecimals(chain, token) }, dollarDecimals, rounding)

/** @param text a decimal. @throws Error for any other text */
export function dollarsOf(text: string): bigint {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not an amount in dollars: ${text}`)
  return rescale(decimal, places, 'down')
}
