import { describe, expect, test } from '@jest/globals'
import { isPayable, sessionState, timeLeft } from './sessionState.ts'
import type { Session } from './types.ts'

const end = '2026-01-01T00:10:00.000Z'
const before = Date.parse(end) - 60_000
const after = Date.parse(end) + 1
const seen = { status: 'seen', exception: 'none' }
const of = (more: object) =>
  ({
    status: 'pending',
    exception: 'none',
    token: 'USDC',
    amountExpected: '10',
    amountReceived: '0',
    confirmations: 0,
    requiredConfirmations: 3,
    finality: 'confirmations',
    payments: [],
    expiresAt: end,
    ...more,
  }) as unknown as Session
const state = (more: object, now = before) => {
  const { title, detail } = sessionState(of(more), now)
  return `${title}: ${detail}`
}

const counted = { payments: [{ status: 'seen', exception: 'none' }], amountReceived: '9.95' }

test.each([
  ['Payment seen: All came. 0 of 3 confirmations.', { ...counted, amountTolerated: '0.05' }],
  ['Part of it came: 9.95 of 10 USDC came. 0.05 USDC are missing.', { ...counted, amountTolerated: '0.04' }],
  ['Waiting for payment: Nothing came yet.', {}],
  ['Waiting for payment: Nothing came yet.', { payments: [{ status: 'seen', exception: 'wrong_token' }] }],
  ['Waiting for payment: The network took a payment back.', { payments: [{ status: 'reverted' }] }],
  ['Part of it came: 4 of 10 USDC came. 6 USDC are missing.', { payments: [seen], amountReceived: '4' }],
  ['Payment seen: All came. 1 of 3', { payments: [seen], amountReceived: '10', confirmations: 1 }],
  ['Payment seen: All came. 3 of 3', { payments: [seen], amountReceived: '10', confirmations: 232 }],
  [
    'Payment seen: All came. It waits until',
    { payments: [seen], amountReceived: '10', finality: 'finalized' },
  ],
  ['Paid: 10 USDC came.', { status: 'paid', amountReceived: '10' }],
  ['Paid: 12.5 USDC came: 2.5 USDC too much.', { status: 'paid', amountReceived: '12.5' }],
  ['Paid out: 10 USDC came. It is paid out to you.', { status: 'paid_out', amountReceived: '10' }],
  ['Expired: Nothing came in time.', { status: 'expired' }],
  ['Expired: 4 of 10 USDC came in time.', { status: 'expired', exception: 'underpaid', amountReceived: '4' }],
  ['Expired: 10 USDC came after its time.', { status: 'expired', exception: 'late', amountReceived: '10' }],
  ['Cancelled: Nothing more is expected.', { status: 'cancelled' }],
])('it says “%s”', (words, more) => expect(state(more)).toContain(words))

test('after its time it checks the last blocks, and takes no money any more', () => {
  expect(state({}, after)).toContain('Checking the last blocks')
  expect(isPayable(of({}), before)).toBe(true)
  expect(isPayable(of({}), after)).toBe(false)
  expect(isPayable(of({ amountReceived: '10', payments: [seen] }), before)).toBe(false)
  expect(isPayable(of({ amountReceived: '4', payments: [seen] }), before)).toBe(true)
  expect(isPayable(of({ status: 'expired' }), before)).toBe(false)
})

describe('the time left', () => {
  test.each([
    [0, '0:00'],
    [5, '0:05'],
    [605, '10:05'],
    [3661, '1:01:01'],
    [86_400, '1 day'],
    [604_800, '7 days'],
  ])('of %d seconds is %s', (seconds, text) =>
    expect(timeLeft(end, Date.parse(end) - seconds * 1000)).toBe(text),
  )
})
