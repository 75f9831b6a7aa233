import { z } from 'zod'
import { positive, type Settings } from '../../platform/settings.ts'
import type { PriceRules } from './priceRules.ts'

const share = z
  .string()
  .regex(/^(0|[1-9]\d?)(\.\d{1,4})?$/, { message: 'must be a percentage below 100, such as 2 or 0.5' })

/** Of the worker: the prices of bank payouts. */
export const priceSettings = {
  variables: {
    PAYOUT_PRICE_MINUTES: positive.max(1440).default(30),
    PAYOUT_PRICE_MAX_FALL_PERCENT: share.default('1'),
    PAYOUT_MAX_ABOVE_WORTH_PERCENT: share.default('2'),
  },
} satisfies Settings

export const priceRules = (values: {
  PAYOUT_PRICE_MINUTES: number
  PAYOUT_PRICE_MAX_FALL_PERCENT: string
  PAYOUT_MAX_ABOVE_WORTH_PERCENT: string
}): PriceRules => ({
  maxAgeMs: values.PAYOUT_PRICE_MINUTES * 60_000,
  maxFallPercent: values.PAYOUT_PRICE_MAX_FALL_PERCENT,
  maxAboveWorthPercent: values.PAYOUT_MAX_ABOVE_WORTH_PERCENT,
})
