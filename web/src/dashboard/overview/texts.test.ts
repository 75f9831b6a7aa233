import { expect, test } from '@jest/globals'
import { durationText, listOf, paymentsText, shareText } from './texts.ts'

test.each([
  [0, '0 s'],
  [12.4, '12 s'],
  [99, '99 s'],
  [100, '2 min'],
  [780, '13 min'],
  [3600, '1 h'],
  [3900, '1 h 5 min'],
])('%d seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})

test('the share that was paid is 100 % only if all were', () => {
  expect(shareText({ paid: 999, unpaid: 1 })).toEqual({
    share: '99 %',
    note: '999 of 1,000 requests that ended',
  })
  expect(shareText({ paid: 3, unpaid: 0 }).share).toBe('100 %')
  expect(shareText({ paid: 0, unpaid: 0 }).share).toBe('–')
})

test('amounts are named with their network', () => {
  expect(
    listOf([
      { chain: 'ethereum', token: 'ETH', amount: '1.5' },
      { chain: null, token: 'USD', amount: '3' },
    ]),
  ).toBe('1.5 ETH (Ethereum), 3 USD')
  expect([paymentsText(1), paymentsText(1200)]).toEqual(['1 payment', '1,200 payments'])
})
