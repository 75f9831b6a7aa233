import { z } from 'zod'
import { type Ratio, ratioOf } from '../money/ratio.ts'
import type { Settings } from '../platform/settings.ts'

/** US dollars for one coin, by the symbol of a chain's native coin, as far as the operator has named them. */
export type CoinPrices = ReadonlyMap<string, Ratio>

/**
 * Of the worker, for the cost of sweeps, and of each process that compares amounts with limits in dollars.
 */
export const coinPriceSettings = {
  variables: {
    SWEEP_COIN_USD: z
      .string()
      .refine((text) => pricesOf(text) !== null, {
        message: 'must be prices in US dollars, such as ETH=2500,BNB=600',
      })
      .default(''),
  },
} satisfies Settings

/** @param text as validated */
export function coinPrices(text: string): CoinPrices {
  const prices = pricesOf(text)
  if (!prices) throw new Error('the prices of coins are not valid')
  return prices
}

/** `ETH=2500,BNB=600`; null where an entry is not a price. */
function pricesOf(text: string): Map<string, Ratio> | null {
  const prices = new Map<string, Ratio>()
  for (const entry of text.split(',').filter((each) => each.trim() !== '')) {
    const [symbol = '', price = '', ...more] = entry.split('=').map((part) => part.trim())
    const read = ratioOf(price)
    if (!read || !/^[A-Z]{2,6}$/.test(symbol) || more.length > 0) return null
    prices.set(symbol, read)
  }
  return prices
}
