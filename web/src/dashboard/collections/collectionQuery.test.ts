import { expect, test } from '@jest/globals'
import { readCollectionQuery as read } from './collectionQuery.ts'

const readCollectionQuery = (search: URLSearchParams) => read(search, 'Africa/Lagos')

test('a search in the URL is read; what does not exist is left out', () => {
  const given = { status: 'expired', currency: ' ngn', reference: ' invoice 7 ', since: '2026-11-25T10:00' }
  expect(readCollectionQuery(new URLSearchParams(given))).toEqual({
    status: 'expired',
    currency: 'NGN',
    reference: 'invoice 7',
    since: '2026-11-25T09:00:00.000Z',
    until: undefined,
  })
  const odd = readCollectionQuery(
    new URLSearchParams({ status: 'constructor', currency: 'naira', reference: ' ', until: 'soon' }),
  )
  expect(Object.values(odd).every((value) => value === undefined)).toBe(true)
})
