import { z } from 'zod'
import type { Settings } from '../platform/settings.ts'
import { type CostRules, type Ratio, ratioOf } from './isWorthwhile.ts'

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

/** Of the worker: what a sweep may cost, and the prices to compare with. */
export const sweepSettings = {
  variables: {
    SWEEP_MAX_COST_SHARE: z
      .string()
      .refine((text) => ratioOf(text) !== null, { message: 'must be a decimal number above zero, such as 0.02' })
      .default('0.02'),
    SWEEP_COIN_USD: z
      .string()
      .refine((text) => pricesOf(text) !== null, { message: 'must be prices in US dollars, such as ETH=2500,BNB=600' })
      .default(''),
  },
} satisfies Settings

/** @param share as validated, like `prices` */
export function costRules(share: string, prices: string): CostRules {
  const [maxShare, coinUsd] = [ratioOf(share), pricesOf(prices)]
  if (!maxShare || !coinUsd) throw new Error('the settings of sweeps are not valid')
  return { maxShare, coinUsd }
}
