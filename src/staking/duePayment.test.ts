import { expect, test } from '@jest/globals'
import { duePayment, isLeftToOperator, isUnpaid } from './duePayment.ts'
import type { Payment } from './payments.ts'

/** What is due of a stake of 98 net with 5 of rewards, after these payments. */
const stake = { amount: 100n, penalty: 2n, rewards: 5n, rewardsBooked: true }
const payment = (more: Partial<Payment> = {}): Payment => ({
  intentId: 'first',
  principal: 98n,
  rewards: 5n,
  status: 'failed',
  isDead: true,
  isSigned: true,
  isRetried: false,
  ageMs: 0,
  ...more,
})
const gone = new Set(['first', 'second'])
const due = (payments: Payment[], more: Partial<typeof stake> = {}, isGone: ReadonlySet<string> = gone) =>
  duePayment({ ...stake, ...more }, payments, isGone)

test('all is due at first; rewards once they are booked', () => {
  expect(due([])).toEqual({ principal: 98n, rewards: 5n, replaces: [] })
  expect(due([], { rewardsBooked: false })).toEqual({ principal: 98n, rewards: 0n, replaces: [] })
  expect(due([payment({ rewards: 0n, status: 'confirmed', isDead: false })])).toEqual({
    principal: 0n,
    rewards: 5n,
    replaces: [],
  })
})

test('nothing is due while a payment may still be mined, or the chain was not read', () => {
  for (const status of [
    'created',
    'signed',
    'broadcast',
    'unknown',
    'confirmed',
    'failed',
    'expired',
  ] as const)
    expect(due([payment({ status, isDead: false })])).toEqual({ principal: 0n, rewards: 0n, replaces: [] })
  expect(due([payment()], {}, new Set())).toEqual({ principal: 0n, rewards: 0n, replaces: [] })
})

test('a signed payment that can never be mined is replaced once', () => {
  expect(due([payment()])).toEqual({ principal: 98n, rewards: 5n, replaces: ['first'] })
  expect(due([payment(), payment({ intentId: 'second' })])).toEqual({
    principal: 0n,
    rewards: 0n,
    replaces: [],
  })
})

test('a part whose payments have failed twice is left to the operator, until each of them is released', () => {
  const both = (...isRetried: boolean[]) =>
    isRetried.map((each, i) => payment({ intentId: ['first', 'second'][i] ?? '', isRetried: each }))
  expect(isLeftToOperator(stake, both(false, false))).toBe(true)
  expect([due(both(true, false)), isLeftToOperator(stake, both(true, false))]).toEqual([
    { principal: 0n, rewards: 0n, replaces: [] },
    true,
  ])
  expect(due(both(true, true))).toEqual({ principal: 98n, rewards: 5n, replaces: ['first', 'second'] })
  expect(isLeftToOperator(stake, both(true, true))).toBe(false)
})

test('each part is replaced by itself', () => {
  const second = payment({ intentId: 'second', principal: 0n })
  expect(due([payment({ rewards: 0n }), second])).toEqual({
    principal: 98n,
    rewards: 5n,
    replaces: ['first', 'second'],
  })
  const confirmed = payment({ rewards: 0n, status: 'confirmed', isDead: false })
  expect(due([confirmed, second])).toEqual({ principal: 0n, rewards: 5n, replaces: ['second'] })
})

test('one that was never signed is made again after a while, as often as it takes', () => {
  const unsigned = payment({ isSigned: false })
  expect(due([unsigned])).toEqual({ principal: 0n, rewards: 0n, replaces: [] })
  const old = { ...unsigned, ageMs: 40 * 60_000 }
  expect(due([old, old, old])).toEqual({ principal: 98n, rewards: 5n, replaces: [] })
})

test('a payment that fails unsigned again and again is made less and less often, but at least every two hours', () => {
  const unsigned = (count: number, minutes: number) =>
    Array<Payment>(count).fill(payment({ isSigned: false, ageMs: minutes * 60_000 }))
  const isDue = (count: number, minutes: number) => due(unsigned(count, minutes)).principal > 0n
  for (const [count, minutes] of [
    [1, 10],
    [2, 20],
    [4, 80],
    [5, 120],
    [50, 120],
  ] as const)
    expect([isDue(count, minutes - 1), isDue(count, minutes)]).toEqual([false, true])
})

test('a part whose payments have all failed is unpaid, also where another part was paid after it', () => {
  const principal = payment({ rewards: 0n, isSigned: false })
  const rewards = payment({ intentId: 'second', principal: 0n, status: 'confirmed', isDead: false })
  expect(isUnpaid(stake, [principal, rewards])).toBe(true)
  expect(isUnpaid(stake, [rewards])).toBe(true)
  expect(
    isUnpaid(stake, [
      principal,
      rewards,
      payment({ intentId: 'third', rewards: 0n, status: 'broadcast', isDead: false }),
    ]),
  ).toBe(false)
  expect(isUnpaid({ ...stake, rewardsBooked: false }, [{ ...principal, status: 'confirmed' }])).toBe(false)
})

test('a part that was signed twice and failed is left to the operator', () => {
  const second = payment({ intentId: 'second' })
  expect(isLeftToOperator(stake, [payment()])).toBe(false)
  expect(isLeftToOperator(stake, [payment(), payment({ isSigned: false })])).toBe(false)
  expect(isLeftToOperator(stake, [payment(), second])).toBe(true)
  expect(isLeftToOperator(stake, [payment(), { ...second, status: 'confirmed' }])).toBe(false)
})
