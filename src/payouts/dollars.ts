import { parseDecimal, rescale } from '../chains/amount.ts'
import { tokenDecimals } from './decimals.ts'

/** As many decimal places as any token has. */
const places = 18

/** An amount of a stablecoin in US dollars, one for one: exact, in units of 10^-18. */
export const inDollars = (chain: string, token: string, amount: bigint): bigint =>
  rescale({ value: amount, scale: tokenDecimals(chain, token) }, places, 'up')

/** @param text a decimal. @throws Error for any other text */
export function dollarsOf(text: string): bigint {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not an amount in dollars: ${text}`)
  return rescale(decimal, places, 'down')
}
