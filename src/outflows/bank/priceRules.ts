import { hundredPercent, percent } from '../../money/percent.ts'
import type { StoredPrice } from '../outflow.ts'

/**
 * How long the price of a bank payout holds, and what it may become without a confirmation. Percentages are
 * plain decimals.
 */
export interface PriceRules {
  maxAgeMs: number
  /** Of the agreed amount: what the bank may get less after the price was renewed. */
  maxFallPercent: string
  /** Of what is taken: what the bank may get more, by the rate of now. */
  maxAboveWorthPercent: string
}

/**
 * True: the payout may not leave by this price. One without a time is of an earlier version; one of the
 * future is of a clock that is wrong.
 */
export const isOldPrice = (
  { pricedAt }: Pick<StoredPrice, 'pricedAt'>,
  now: Date,
  { maxAgeMs }: Pick<PriceRules, 'maxAgeMs'>,
): boolean => pricedAt === null || Math.abs(now.getTime() - pricedAt.getTime()) > maxAgeMs

/**
 * True: the bank would get less than what was agreed to by more than the rules allow, so that the price has
 * to be confirmed.
 */
export const needsConfirmation = (
  { localAmount, agreedAmount }: Pick<StoredPrice, 'localAmount' | 'agreedAmount'>,
  { maxFallPercent }: Pick<PriceRules, 'maxFallPercent'>,
): boolean => localAmount * hundredPercent < agreedAmount * (hundredPercent - percent(maxFallPercent))
