import { expect, test } from '@jest/globals'
import type { Session } from '../posSessions/types.ts'
import { difference, refundableOf } from './refundable.ts'

const asset = { chain: 'base', token: 'USDC' }
const payment = (amount: string, more: object = {}) => ({ ...asset, amount, status: 'confirmed', ...more })
const refund = (amount: string, status: string, more: object = {}) => ({ ...asset, amount, status, ...more })

function of(payments: object[], refunds: object[] = [], status = 'paid', held?: string) {
  return refundableOf({ ...asset, status, payments, refunds, ...(held && { held: { amount: held } }) } as unknown as Session)
}

test('all that is confirmed can be refunded, and what is held of it is named', () => {
  expect(of([payment('10')])).toEqual([{ ...asset, whole: '10', excess: null, rest: '10' }])
  const seen = payment('7', { status: 'seen' })
  expect(of([payment('10'), payment('2.5'), seen], [], 'paid', '2.5')).toEqual([{ ...asset, whole: '12.5', excess: '2.5', rest: '12.5' }])
  expect(of([payment('12.5')])).toMatchObject([{ excess: null }])
  expect(of([payment('10')], [], 'pending')).toEqual([])
})

test('what was refunded, or is on its way, is not refunded again', () => {
  const failed = [refund('10', 'failed'), refund('10', 'cancelled')]
  expect(of([payment('12.5')], failed, 'paid', '2.5')).toMatchObject([{ whole: '12.5', excess: '2.5' }])
  expect(of([payment('12.5')], [...failed, refund('1', 'awaiting_claim')], 'paid', '1.5')).toEqual([
    { ...asset, whole: null, excess: '1.5', rest: '11.5' },
  ])
  expect(of([payment('12.5')], [refund('12.5', 'completed')])).toEqual([])
})

test('each asset is refunded by itself, and only the requested one has an excess', () => {
  const other = { chain: 'tron', token: 'USDT' }
  const found = of([payment('10'), payment('99', other)], [refund('4', 'unknown', other)])
  expect(found).toEqual([
    { ...asset, whole: '10', excess: null, rest: '10' },
    { ...other, whole: null, excess: null, rest: '95' },
  ])
})

test('decimals are exact', () => {
  expect(difference(['0.1', '0.2'], [])).toBe('0.3')
  expect(difference(['123456789123456789.123456789123456789'], ['0.000000000000000001'])).toBe('123456789123456789.123456789123456788')
  expect(difference(['1.50'], ['0.5'])).toBe('1')
  expect([difference(['1'], ['1']), difference(['1'], ['1.1']), difference([], [])]).toEqual([null, null, null])
})
