import { type Decimal, divide } from '../money/amount.ts'

/** A year of 365 days. */
const secondsPerYear = 31_536_000n
/** A percentage with more decimals is not stored. */
export const percentScale = 8

/** An exact percentage: `value / 10^scale` percent. */
export type Percent = Decimal

/**
 * Times are exact to the millisecond; rewards count milliseconds, so that the number of parts does not
 * matter.
 */
const millis = 1000n

export interface Earning {
  /** Base units. */
  amount: bigint
  apy: Percent
  /** The time of the confirming block. */
  from: Date
  /** When it is unstaked. */
  until: Date
}

/**
 * Simple rewards: amount × apy × seconds ÷ (100 × 31,536,000) in base units, rounded down. Zero if it ends
 * before it starts.
 */
export function rewardsOf({ amount, apy, from, until }: Earning): bigint {
  const elapsedMs = BigInt(Math.max(until.getTime() - from.getTime(), 0))
  return divide(
    amount * apy.value * elapsedMs,
    100n * secondsPerYear * millis * 10n ** BigInt(apy.scale),
    'down',
  )
}

/** The penalty of unstaking before `lockedUntil`, in base units, rounded up; zero from `lockedUntil` on. */
export function penaltyOf({
  amount,
  percent,
  lockedUntil,
  at,
}: {
  amount: bigint
  percent: Percent
  lockedUntil: Date
  at: Date
}): bigint {
  if (at.getTime() >= lockedUntil.getTime()) return 0n
  return divide(amount * percent.value, 100n * 10n ** BigInt(percent.scale), 'up')
}

const dayMs = 86_400_000

/** When a stake can be unstaked without a penalty. */
export const lockedUntilOf = ({ createdAt, lockDays }: { createdAt: Date; lockDays: number }): Date =>
  new Date(createdAt.getTime() + lockDays * dayMs)

/**
 * Between the clock of a chain's blocks and that of the api. The treasury pays no stake whose block is
 * further before its creation.
 */
export const clockSkewMs = 120_000

/**
 * When rewards start: at the time of its block; if that clock is wrong, at the earliest time that the
 * treasury accepts, and not after `now`.
 */
export const earnsFrom = ({ createdAt }: { createdAt: Date }, blockTime: Date, now: Date): Date =>
  new Date(Math.max(Math.min(blockTime.getTime(), now.getTime()), createdAt.getTime() - clockSkewMs))
