import { expect, test } from '@jest/globals'
import { readTransferQuery } from './transferQuery.ts'

const now = new Date('2026-11-30T13:00:00Z')
const read = (search: string) => readTransferQuery(new URLSearchParams(search), now, 'Africa/Lagos')

test('a search in the URL becomes one of the API; what it cannot be is left out', () => {
  const id = '01a22c98-f3ae-74df-8eca-650d74044da0'
  expect(read(`search=%20x%20&status=failed&chain=base&token=native&wallet=${id}`)).toMatchObject({
    ...{ search: 'x', status: ['failed'], chain: 'base', token: 'native', walletId: id },
  })
  expect(read('status=lost&chain=moon&token=dai&wallet=7&period=never')).toEqual({})
})

test('a period is by the days of the business', () => {
  expect(read('period=today').since).toBe('2026-11-29T23:00:00.000Z')
})
