import { expect, test } from '@jest/globals'
import { readPayoutQuery as read } from './payoutQuery.ts'
import { reasonLabels } from './reasonLabels.ts'

const readPayoutQuery = (search: URLSearchParams) => read(search, 'Africa/Lagos')

test('a search in the URL is read; what does not exist is left out', () => {
  const given = {
    status: 'unknown,failed',
    chain: 'base',
    token: 'USDC',
    reference: ' salary ',
    until: '2026-11-25T10:00',
  }
  expect(readPayoutQuery(new URLSearchParams(given))).toEqual({
    ...given,
    status: ['unknown', 'failed'],
    reference: 'salary',
    since: undefined,
    until: '2026-11-25T09:00:00.000Z',
  })
  const odd = readPayoutQuery(
    new URLSearchParams({
      status: 'constructor',
      chain: '__proto__',
      token: 'DAI',
      reference: ' ',
      since: 'soon',
    }),
  )
  expect(Object.values(odd).every((value) => value === undefined)).toBe(true)
})

test('a reason is shown as text, also one that is newer than the page', () => {
  expect([reasonLabels('cooling_off'), reasonLabels('insufficient_float')]).toEqual([
    'The destination cools off',
    'Insufficient float',
  ])
})
