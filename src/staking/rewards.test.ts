import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { percentText, storedPercent } from '../money/percent.ts'
import { earnsFrom, lockedUntilOf, penaltyOf, rewardsOf } from './rewards.ts'

const year = 365 * 24 * 3600
const from = new Date('2026-01-01T00:00:00.000Z')
const after = (ms: number) => new Date(from.getTime() + ms)

const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
const elapsed = fc.integer({ min: 0, max: 20 * year * 1000 })
/** Hundred-millionths of a percent. */
const percents = fc.integer({ min: 0, max: 10_000_000_000 })
const textOf = (units: number) => `${Math.floor(units / 1e8)}.${String(units % 1e8).padStart(8, '0')}`

test('rewards are the largest whole number that is not above the exact ones', () => {
  fc.assert(
    fc.property(amounts, percents, elapsed, (amount, percent, ms) => {
      const rewards = rewardsOf({ amount, apy: storedPercent(textOf(percent)), from, until: after(ms) })
      const [exact, unit] = [
        amount * BigInt(percent) * BigInt(ms),
        BigInt(year) * 1000n * 100n * 100_000_000n,
      ]
      return rewards * unit <= exact && (rewards + 1n) * unit > exact
    }),
  )
})

test('the penalty is the smallest whole number that is not below the exact one, and never more than the amount', () => {
  const early = { lockedUntil: after(1), at: from }
  fc.assert(
    fc.property(amounts, percents, (amount, percent) => {
      const penalty = penaltyOf({ amount, percent: storedPercent(textOf(percent)), ...early })
      const [exact, unit] = [amount * BigInt(percent), 100n * 100_000_000n]
      return penalty * unit >= exact && (penalty - 1n) * unit < exact && penalty <= amount
    }),
  )
})

test('splitting gains nothing: parts earn no more, and lose no less', () => {
  fc.assert(
    fc.property(amounts, amounts, percents, elapsed, (one, other, percent, ms) => {
      const apy = storedPercent(textOf(percent))
      const rewards = (amount: bigint) => rewardsOf({ amount, apy, from, until: after(ms) })
      const penalty = (amount: bigint) => penaltyOf({ amount, percent: apy, lockedUntil: after(1), at: from })
      const [earned, whole] = [rewards(one) + rewards(other), rewards(one + other)]
      const [lost, atOnce] = [penalty(one) + penalty(other), penalty(one + other)]
      return earned <= whole && whole - earned <= 1n && lost >= atOnce && lost - atOnce <= 1n
    }),
  )
})

test('a year at 5.5 % earns 5.5 %; nothing is earned before the block', () => {
  const apy = storedPercent('5.50000000')
  expect(rewardsOf({ amount: 1_000_000n, apy, from, until: after(year * 1000) })).toBe(55_000n)
  expect(rewardsOf({ amount: 1_000_000n, apy, from, until: after(-1) })).toBe(0n)
})

test('the lock ends to the millisecond: from then on there is no penalty', () => {
  const lockedUntil = lockedUntilOf({ createdAt: from, lockDays: 30 })
  expect(lockedUntil.toISOString()).toBe('2026-01-31T00:00:00.000Z')
  const penalty = (at: Date) => penaltyOf({ amount: 1001n, percent: storedPercent('2'), lockedUntil, at })
  expect([penalty(new Date(lockedUntil.getTime() - 1)), penalty(lockedUntil)]).toEqual([21n, 0n])
})

test('percentages keep their value as text', () => {
  expect(['5.50000000', '10.00000000', '0.00000000', '100', '0.00000001'].map(percentText)).toEqual([
    '5.5',
    '10',
    '0',
    '100',
    '0.00000001',
  ])
})

test('rewards start at the block; where its clock is wrong, no earlier than the treasury accepts, and no later than now', () => {
  const now = new Date('2026-01-01T00:11:00.000Z')
  const createdAt = new Date('2026-01-01T00:10:00.000Z')
  const earned = (at: string) => earnsFrom({ createdAt }, new Date(at), now).toISOString()
  expect(earned('2026-01-01T00:10:12.000Z')).toBe('2026-01-01T00:10:12.000Z')
  expect(earned('2026-01-01T00:08:00.000Z')).toBe('2026-01-01T00:08:00.000Z')
  expect(earned('2026-01-01T00:07:59.999Z')).toBe('2026-01-01T00:08:00.000Z')
  expect(earned('2027-01-01T00:00:00.000Z')).toBe('2026-01-01T00:11:00.000Z')
})
