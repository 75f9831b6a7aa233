import { expect, test } from '@jest/globals'
import { hintOf, nearMiss } from './nearMiss.ts'

const chains = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'optimism', 'solana', 'tron', 'stellar']
const fields = ['chain', 'token', 'amount', 'localAmount', 'localCurrency', 'expirySeconds', 'label']

test.each([
  ['eth', 'ethereum'],
  ['Ethereum', 'ethereum'],
  ['etherium', 'ethereum'],
  ['Base', 'base'],
  ['BNB', 'bsc'],
  ['trc-20', 'tron'],
])('%s means the chain %s', (text, meant) => expect(nearMiss(text, chains)).toBe(meant))

test.each([
  ['local_amount', 'localAmount'],
  ['LocalCurency', 'localCurrency'],
  ['expiry', 'expirySeconds'],
  ['tokne', 'token'],
])('%s means the field %s', (text, meant) => expect(nearMiss(text, fields)).toBe(meant))

test.each(['bitcoin', 'x', '', '__proto__', 'constructor', 'colour', 'ethereum'.repeat(9)])(
  '%s is near to nothing',
  (text) => expect(nearMiss(text, [...chains, ...fields])).toBeNull(),
)

test('a hint quotes nothing of the text', () => {
  expect(hintOf('MATIC', chains)).toBe('; did you mean polygon?')
  expect(hintOf('ak_live_123', chains)).toBe('')
  expect(hintOf(7, chains)).toBe('')
})
