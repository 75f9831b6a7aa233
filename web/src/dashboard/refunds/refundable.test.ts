import { expect, test } from '@jest/globals'
import type { Session } from '../posSessions/types.ts'
import { covers, difference, refundableOf } from './refundable.ts'

const asset = { chain: 'base', token: 'USDC' } as const
const listed = { ...asset, amount: '12.5', amountNow: '7' }
const refund = (status: string, more: object = {}) => ({ ...asset, amount: '1', status, ...more })

const of = (refunds: object[], held?: string) =>
  refundableOf({ ...asset, refunds, ...(held && { held: { amount: held } }) } as unknown as Session, [listed])

test('the whole is offered until something was refunded, and what is held is named', () => {
  expect(of([])).toEqual([{ ...asset, whole: '12.5', excess: null, rest: '12.5', now: '7' }])
  expect(of([refund('failed'), refund('cancelled')], '2.5')).toMatchObject([{ whole: '12.5', excess: '2.5' }])
  expect(of([refund('awaiting_claim')])).toMatchObject([{ whole: null, rest: '12.5' }])
  expect(of([refund('completed', { chain: 'tron', token: 'USDT' })])).toMatchObject([{ whole: '12.5' }])
})

test('the balance covers up to what is there now', () => {
  expect(['6.99', '7', '7.01'].map((amount) => covers({ now: '7' }, amount))).toEqual([true, true, false])
})

test('decimals are exact', () => {
  expect(difference(['0.1', '0.2'], [])).toBe('0.3')
  expect(difference(['123456789123456789.123456789123456789'], ['0.000000000000000001'])).toBe(
    '123456789123456789.123456789123456788',
  )
  expect(difference(['1.50'], ['0.5'])).toBe('1')
  expect([difference(['1'], ['1']), difference(['1'], ['1.1']), difference([], [])]).toEqual([
    null,
    null,
    null,
  ])
})
