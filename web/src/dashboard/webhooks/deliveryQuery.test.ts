import { expect, test } from '@jest/globals'
import { readDeliveryQuery } from './deliveryQuery.ts'

const read = (search: string) => readDeliveryQuery(new URLSearchParams(search), 'Africa/Lagos')

test('deliveries of every type are requested unless one is named', () => {
  expect(read('')).toMatchObject({ type: '*' })
  expect(read('type=session.*')).toMatchObject({ type: 'session.*' })
})

test('an invalid state, network or time is left out', () => {
  expect(read('status=lost&chain=dogecoin&since=yesterday')).toMatchObject({
    status: undefined,
    chain: undefined,
    since: undefined,
  })
  expect(read('status=toString&chain=toString')).toMatchObject({ status: undefined, chain: undefined })
})

test('times on the page are by the zone of the business, and are requested in UTC', () => {
  const local = '2026-01-02T03:04'
  expect(read(`since=${local}&until=${local}&status=failed&chain=base&address=%200xab%20`)).toMatchObject({
    status: ['failed'],
    chain: 'base',
    address: '0xab',
    since: '2026-01-02T02:04:00.000Z',
    until: '2026-01-02T02:04:00.000Z',
  })
})
