import { expect, test } from '@jest/globals'
import { readSessionQuery as read } from './sessionQuery.ts'

const readSessionQuery = (search: URLSearchParams) =>
  read(search, new Date('2026-05-02T12:00:00Z'), 'Africa/Lagos')

test('a search in the URL is read; what it does not have is left out', () => {
  const given = {
    search: ' 0xAB ',
    status: 'paid,paid_out',
    exception: 'late',
    chain: 'tron',
    token: 'USDT',
    since: '2026-11-25T10:00',
  }
  expect(readSessionQuery(new URLSearchParams(given))).toEqual({
    ...given,
    status: ['paid', 'paid_out'],
    search: '0xAB',
    since: '2026-11-25T09:00:00.000Z',
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

test('a period is of the business’s days, and replaces other times', () => {
  const given = { period: 'yesterday', since: '2026-11-25T10:00' }
  expect(readSessionQuery(new URLSearchParams(given))).toMatchObject({
    since: '2026-04-30T23:00:00.000Z',
    until: '2026-05-01T23:00:00.000Z',
  })
})
