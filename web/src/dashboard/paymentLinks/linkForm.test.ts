import { expect, test } from '@jest/globals'
import { linkForOneIn, linkIn } from './linkForm.ts'

const timeZone = 'Africa/Lagos'

function form(entries: [string, string][]): FormData {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

test('a fixed amount, with what was filled in', () => {
  const data = form([
    ['kind', 'fixed'],
    ['localAmount', '25000'],
    ['in', 'local'],
    ['networks', 'all'],
    ['label', ' Invoice 7 '],
    ['reference', ''],
    ['maxSessions', '1'],
  ])
  expect(linkIn(data, { localCurrency: 'NGN', timeZone })).toEqual({
    localAmount: '25000',
    label: 'Invoice 7',
    maxSessions: 1,
  })
})

test('an open amount in the currency or in the token, with some networks', () => {
  const entries: [string, string][] = [
    ['kind', 'open'],
    ['in', 'local'],
    ['openAmount.min', '500'],
    ['openAmount.max', ''],
    ['networks', 'some'],
    ['accept', 'solana USDC'],
  ]
  const accept = [{ chain: 'solana', token: 'USDC' }]
  expect(linkIn(form(entries), { localCurrency: 'NGN', timeZone })).toEqual({
    openAmount: { localCurrency: 'NGN', min: '500' },
    accept,
  })
  expect(linkIn(form(entries), { localCurrency: null, timeZone })).toEqual({
    openAmount: { min: '500' },
    accept,
  })
})

test('a payment whose customer chooses is a link for one payment', () => {
  const data = form([
    ['amount', '12.50'],
    ['expirySeconds', '3600'],
  ])
  expect(linkForOneIn(data)).toEqual({ amount: '12.50', expirySeconds: 3600, maxSessions: 1 })
})

test.each([
  [[['amount', '1,5']], 'amount'],
  [
    [
      ['kind', 'open'],
      ['openAmount.min', 'x'],
    ],
    'openAmount.min',
  ],
  [
    [
      ['amount', '1'],
      ['maxSessions', '0'],
    ],
    'maxSessions',
  ],
  [
    [
      ['amount', '1'],
      ['networks', 'some'],
    ],
    'networks',
  ],
] as [[string, string][], string][])('%j is wrong at %s', (entries, field) => {
  expect(() => linkIn(form(entries), { localCurrency: null, timeZone })).toThrow(
    expect.objectContaining({ fields: expect.objectContaining({ [field]: expect.any(String) }) }),
  )
})
