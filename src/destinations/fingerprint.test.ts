import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { Secret } from '../platform/secrets.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { CheckedDestination } from './readDestination.ts'

const key = new Secret(randomBytes(32).toString('base64'))
const bank = (id: string, number: string, holder = 'Ada', currency = 'NGN'): CheckedDestination => ({
  kind: 'bank',
  bank: { id, name: id, code: '1', countryCode: 'NG', currencies: ['NGN', 'USD'] },
  currency,
  account: { number: new Secret(number), holder },
})
const wallet = (name: string, address: string, memo: { type: 'text' | 'id'; value: string } | null = null) =>
  ({ kind: 'wallet', chain: { name }, address, memo }) as CheckedDestination

test('the same account or address has one fingerprint, for any holder and any currency', () => {
  expect(fingerprintOf(key, 'shop', bank('gt', '1234', 'Ada', 'USD'))).toEqual(
    fingerprintOf(key, 'shop', bank('gt', '1234', 'Grace')),
  )
  expect(fingerprintOf(key, 'shop', wallet('stellar', 'G1'))).toEqual(
    fingerprintOf(key, 'shop', wallet('stellar', 'G1')),
  )
})

test('another account, address, memo, business or key has another one', () => {
  const all = [
    fingerprintOf(key, 'shop', bank('gt', '1234')),
    fingerprintOf(key, 'other', bank('gt', '1234')),
    fingerprintOf(new Secret(randomBytes(32).toString('base64')), 'shop', bank('gt', '1234')),
    fingerprintOf(key, 'shop', bank('gt', '12345')),
    fingerprintOf(key, 'shop', bank('access', '1234')),
    fingerprintOf(key, 'shop', wallet('stellar', 'G1')),
    fingerprintOf(key, 'shop', wallet('solana', 'G1')),
    fingerprintOf(key, 'shop', wallet('stellar', 'G2')),
    fingerprintOf(key, 'shop', wallet('stellar', 'G1', { type: 'text', value: '7' })),
    fingerprintOf(key, 'shop', wallet('stellar', 'G1', { type: 'id', value: '7' })),
  ]
  expect(new Set(all.map((each) => each.toString('hex'))).size).toBe(all.length)
})
