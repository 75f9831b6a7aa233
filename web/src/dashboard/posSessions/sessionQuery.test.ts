import { expect, test } from '@jest/globals'
import { readSessionQuery } from './sessionQuery.ts'

test('a search in the URL is read; what it does not have is left out', () => {
  const given = {
    search: ' 0xAB ',
    status: 'paid',
    exception: 'late',
    chain: 'tron',
    token: 'USDT',
    reference: 'order 7',
    since: '2026-11-25T10:00',
  }
  expect(readSessionQuery(new URLSearchParams(given))).toEqual({
    ...given,
    search: '0xAB',
    since: new Date('2026-11-25T10:00').toISOString(),
    until: undefined,
  })
  expect(Object.values(readSessionQuery(new URLSearchParams())).every((value) => value === undefined)).toBe(
    true,
  )
})

test.each(['status', 'exception', 'chain', 'token'] as const)(
  'a %s that does not exist is not searched for',
  (name) => {
    for (const value of ['none such', '__proto__', 'constructor', ''])
      expect(readSessionQuery(new URLSearchParams({ [name]: value }))[name]).toBeUndefined()
  },
)
