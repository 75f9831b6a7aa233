import { z } from 'zod'
import type { Settings } from '../platform/settings.ts'
import { type Ratio, ratioOf } from './isWorthwhile.ts'

const ratio = z.string().transform((text, context): Ratio => {
  const read = ratioOf(text)
  if (read) return read
  context.addIssue({ code: 'custom', message: 'must be a decimal number above zero, such as 0.02' })
  return z.NEVER
})

/** `ETH=2500,BNB=600`. */
const prices = z.string().transform((text, context): ReadonlyMap<string, Ratio> => {
  const entries = text.split(',').filter((each) => each.trim() !== '')
  return new Map(
    entries.flatMap((each): [string, Ratio][] => {
      const [symbol = '', price = '', ...more] = each.split('=').map((part) => part.trim())
      const read = ratioOf(price)
      if (read && /^[A-Z]{2,6}$/.test(symbol) && more.length === 0) return [[symbol, read]]
      context.addIssue({ code: 'custom', message: 'must be prices in US dollars, such as ETH=2500,BNB=600' })
      return []
    }),
  )
})

/** Of the worker: what a sweep may cost, and the prices to compare with. */
export const sweepSettings = {
  variables: {
    SWEEP_MAX_COST_SHARE: ratio.default({ numerator: 2n, denominator: 100n }),
    SWEEP_COIN_USD: prices.default(new Map()),
  },
} satisfies Settings
