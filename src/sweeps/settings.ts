import { z } from 'zod'
import { ratioOf } from '../money/ratio.ts'
import type { Settings } from '../platform/settings.ts'
import { coinPriceSettings, coinPrices } from '../pricing/coinPrices.ts'
import type { CostRules } from './isWorthwhile.ts'

/** Of the worker: what a sweep may cost, and the prices to compare with. */
export const sweepSettings = {
  variables: {
    SWEEP_MAX_COST_SHARE: z
      .string()
      .refine((text) => ratioOf(text) !== null, {
        message: 'must be a decimal number above zero, such as 0.02',
      })
      .default('0.02'),
    ...coinPriceSettings.variables,
  },
} satisfies Settings

/** @param share as validated, like `prices` */
export function costRules(share: string, prices: string): CostRules {
  const maxShare = ratioOf(share)
  if (!maxShare) throw new Error('the maximum share of the cost of a sweep is not valid')
  return { maxShare, coinUsd: coinPrices(prices) }
}
