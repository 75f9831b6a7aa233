import { expect, test } from '@jest/globals'
import { accountLabels, assetLabels, kindLabels } from './bookLabels.ts'
import { filePath, readEntryQuery as read } from './entryQuery.ts'

const readEntryQuery = (search: URLSearchParams) => read(search, 'Africa/Lagos')

test('a search in the URL is read; what it does not have is left out', () => {
  const search = new URLSearchParams({
    account: 'available',
    asset: ' polygon:USDC ',
    kind: 'deposit.lost',
    since: '2026-11-25T10:00',
    until: 'soon',
  })
  expect(readEntryQuery(search)).toEqual({
    account: 'available',
    asset: 'polygon:USDC',
    kind: undefined,
    reference: undefined,
    sessionId: undefined,
    since: '2026-11-25T09:00:00.000Z',
    until: undefined,
  })
})

test.each(['savings', '__proto__', 'constructor', ''])(
  'an account named %j is not searched for',
  (account) => {
    expect(readEntryQuery(new URLSearchParams({ account })).account).toBeUndefined()
  },
)

test('the file has the same search', () => {
  expect(filePath('b/1', {})).toBe('/businesses/b%2F1/ledger/entries')
  expect(filePath('b1', { asset: 'polygon:USDC', kind: undefined, reference: 'a&b' })).toBe(
    '/businesses/b1/ledger/entries?asset=polygon%3AUSDC&reference=a%26b',
  )
})

test('kinds and assets are shown as text', () => {
  expect([kindLabels('deposit.credited'), kindLabels('adjustment'), assetLabels('bsc:USDT')]).toEqual([
    'Deposit credited',
    'Adjustment',
    'USDT on BNB Smart Chain',
  ])
  expect(accountLabels.payouts_held).toBe('Held for payouts')
})
