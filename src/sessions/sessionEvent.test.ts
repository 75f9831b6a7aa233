import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { PaymentView, SessionView, ShortRefund } from './present.ts'
import { type SessionEventData, sessionEvent } from './sessionEvent.ts'

const payment = (n: number, memo?: string): PaymentView => ({
  txId: `0x${n.toString(16).padStart(64, '0')}`,
  chain: 'solana',
  token: 'USDC',
  amount: '0.000001',
  from: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs',
  ...(memo !== undefined && { memo, memoType: 'text' as const }),
  blockHeight: n,
  blockTime: '2026-01-01T00:00:00.000Z',
  status: 'confirmed',
  exception: 'none',
  confirmations: 1,
  requiredConfirmations: null,
})
const session = (payments: PaymentView[], refunds: ShortRefund[] = []): SessionView => ({
  id: '01a1f93f-821b-7439-bb21-110bf7cf8615',
  chain: 'solana',
  address: '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs',
  token: 'USDC',
  amountExpected: '1',
  amountReceived: '0',
  status: 'pending',
  exception: 'none',
  expiresAt: '2026-01-01T00:00:00.000Z',
  label: 'x'.repeat(200),
  reference: 'x'.repeat(200),
  metadata: { text: 'x'.repeat(4000) },
  localAmount: null,
  localCurrency: null,
  rate: null,
  rateAt: null,
  rateSource: null,
  fee: '0',
  feeCurrency: 'USDC',
  fxMargin: '0',
  paymentUri: 'solana:7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs',
  checkoutUrl: `https://pay.example/checkout/${'x'.repeat(38)}`,
  confirmations: 0,
  requiredConfirmations: 1,
  finality: 'confirmations',
  payments,
  createdAt: '2026-01-01T00:00:00.000Z',
  paidAt: null,
  resolution: null,
  amountRefunded: '0',
  refunds,
})
const refund = (n: number): ShortRefund => ({
  id: `01a1f93f-821b-7439-bb21-${n.toString(16).padStart(12, '0')}`,
  kind: 'amount',
  status: 'awaiting_approval',
  amount: '0.000001',
  token: 'USDC',
  chain: 'solana',
  txHash: '5'.repeat(88),
  createdAt: '2026-01-01T00:00:00.000Z',
  completedAt: '2026-01-01T00:00:00.000Z',
})
const dataOf = (payments: PaymentView[], refunds: ShortRefund[]) =>
  sessionEvent('session.paid', session(payments, refunds)).data as SessionEventData
const memosOf = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 560 }), { nil: undefined }), {
  maxLength: 80,
})

test('an event about a session with few payments has the session as in the API', () => {
  const view = session([payment(1), payment(2)])
  expect(sessionEvent('session.paid', view).data).toEqual(view)
})

test('for any payments and refunds of a session, an event has the newest ones, counts the omitted ones, and fits a body of 20 kB', () => {
  fc.assert(
    fc.property(memosOf, fc.nat(100), (memos, refunded) => {
      const payments = memos.map((memo, n) => payment(n, memo))
      const refunds = Array.from({ length: refunded }, (_, n) => refund(n))
      const data = dataOf(payments, refunds)
      expect(data.refunds).toEqual(refunds.slice(0, 5))
      expect(data.refundsOmitted).toBe(refunded > 5 ? refunded - 5 : undefined)
      const omitted = data.paymentsOmitted ?? 0
      expect(data.payments).toEqual(payments.slice(omitted))
      expect(data.payments.length).toBeLessThanOrEqual(20)
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThan(19_500)
      if (payments.length > 0) expect(data.payments.length).toBeGreaterThan(0)
    }),
    { numRuns: 200 },
  )
})
