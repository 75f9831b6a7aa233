import { expect, test } from '@jest/globals'
import { openDecision } from './decision.ts'
import type { Session } from './types.ts'

const confirmed = { status: 'confirmed', token: 'USDC' }
const of = (more: object) =>
  openDecision({
    status: 'expired',
    exception: 'late',
    resolution: null,
    payments: [confirmed],
    refunds: [],
    ...more,
  } as unknown as Session)

test('what came can be accepted while the session is not paid, and left once it has ended', () => {
  expect(of({})).toEqual({ accept: true, leave: true })
  expect(of({ status: 'pending', exception: 'underpaid' })).toEqual({ accept: true, leave: false })
  expect(of({ status: 'paid', exception: 'overpaid' })).toEqual({ accept: false, leave: true })
  expect(of({ status: 'paid', exception: 'overpaid', held: { amount: '1' } })).toEqual({
    accept: true,
    leave: true,
  })
  expect(of({ status: 'cancelled' })).toEqual({ accept: false, leave: true })
})

test('only confirmed USDC and USDT can be accepted', () => {
  for (const payment of [
    { ...confirmed, status: 'seen' },
    { ...confirmed, token: 'USDC.e' },
    { ...confirmed, token: 'ETH' },
  ])
    expect(of({ payments: [payment] })).toEqual({ accept: false, leave: true })
})

test('nothing is to be decided where all came as requested, it was decided, or what came goes back', () => {
  expect(of({ status: 'paid', exception: 'none' })).toBeNull()
  expect(of({ status: 'paid', resolution: 'accepted' })).toBeNull()
  expect(of({ resolution: 'left' })).toBeNull()
  expect(of({ refunds: [{ status: 'completed' }] })).toBeNull()
  expect(
    of({ status: 'paid', exception: 'overpaid', held: { amount: '1' }, refunds: [{ status: 'completed' }] }),
  ).not.toBeNull()
  expect(of({ refunds: [{ status: 'cancelled' }] })).toEqual({ accept: true, leave: true })
  // A fork took some of what was accepted away.
  expect(of({ resolution: 'accepted' })).toEqual({ accept: true, leave: true })
})
