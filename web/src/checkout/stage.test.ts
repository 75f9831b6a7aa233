import { describe, expect, test } from '@jest/globals'
import { stageOf, takesPayment, timeLeft } from './stage.ts'
import type { Checkout } from './types.ts'

const end = '2026-01-01T00:10:00.000Z'
const before = Date.parse(end) - 60_000
const payment = (more: object = {}) => ({
  txId: '0x1',
  chain: 'ethereum' as const,
  token: 'USDC',
  amount: '10',
  blockTime: '2026-01-01T00:05:00.000Z',
  status: 'seen' as const,
  exception: 'none' as const,
  ...more,
})
const checkout = (more: Partial<Checkout> = {}): Checkout => ({
  merchant: 'Shop',
  label: null,
  chain: 'ethereum',
  token: 'USDC',
  address: '0x1',
  amountExpected: '10',
  amountReceived: '0',
  amountMissing: '10',
  localAmount: null,
  localCurrency: null,
  paymentUri: 'ethereum:0x1',
  status: 'pending',
  exception: 'none',
  isReversed: false,
  confirmations: 0,
  requiredConfirmations: 3,
  finality: 'confirmations',
  payments: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: end,
  paidAt: null,
  now: '2026-01-01T00:00:00.000Z',
  ...more,
})
const seen = { payments: [payment()], amountReceived: '10', amountMissing: '0' }

describe('the stage of a session', () => {
  test.each([
    ['waiting', {}, before],
    ['checking', {}, Date.parse(end) + 1],
    ['partly_paid', { payments: [payment()], amountReceived: '4', amountMissing: '6' }, before],
    ['checking', { payments: [payment()], amountReceived: '4', amountMissing: '6' }, Date.parse(end) + 1],
    ['seen', seen, before],
    ['confirming', { ...seen, confirmations: 1 }, before],
    ['confirming', { ...seen, confirmations: 1 }, Date.parse(end) + 1],
    ['seen', { ...seen, confirmations: 1, finality: 'finalized' as const }, before],
    ['paid', { ...seen, status: 'paid' as const }, before],
    ['paid', { ...seen, status: 'paid_out' as const }, before],
    ['expired', { status: 'expired' as const }, Date.parse(end) + 1],
    ['cancelled', { status: 'cancelled' as const }, before],
    ['waiting', { payments: [payment({ status: 'reverted' })], isReversed: true }, before],
    ['waiting', { payments: [payment({ exception: 'wrong_token' })] }, before],
  ] as const)('is %s for %o', (stage, more, now) => {
    expect(stageOf(checkout(more as Partial<Checkout>), now)).toBe(stage)
  })

  test('takes money only while a payment would still count', () => {
    expect(takesPayment('waiting')).toBe(true)
    expect(takesPayment('partly_paid')).toBe(true)
    for (const stage of ['seen', 'confirming', 'checking', 'paid', 'expired', 'cancelled'] as const)
      expect(takesPayment(stage)).toBe(false)
  })
})

test('the time left is shown as minutes and seconds, with hours before them, and never below zero', () => {
  const now = Date.parse(end)
  expect(timeLeft(end, now - 600_000)).toBe('10:00')
  expect(timeLeft(end, now - 61_000)).toBe('1:01')
  expect(timeLeft(end, now - 500)).toBe('0:01')
  expect(timeLeft(end, now - 86_399_000)).toBe('23:59:59')
  expect(timeLeft(end, now + 5000)).toBe('0:00')
})
