import { expect, test } from '@jest/globals'
import { readDeliveryQuery } from './deliveryQuery.ts'

const read = (search: string) => readDeliveryQuery(new URLSearchParams(search))

test('deliveries of every type are asked for unless one is named', () => {
  expect(read('')).toMatchObject({ type: '*' })
  expect(read('type=session.*')).toMatchObject({ type: 'session.*' })
})

test('a state, a network or a time that is none is left out', () => {
  expect(read('status=lost&chain=dogecoin&since=yesterday')).toMatchObject({ status: undefined, chain: undefined, since: undefined })
  expect(read('status=toString&chain=toString')).toMatchObject({ status: undefined, chain: undefined })
})

test('the times of the page are local ones, and are asked for in UTC', () => {
  const local = '2026-01-02T03:04'
  expect(read(`since=${local}&until=${local}&status=failed&chain=base&address=%200xab%20`)).toMatchObject({
    status: 'failed',
    chain: 'base',
    address: '0xab',
    since: new Date(local).toISOString(),
    until: new Date(local).toISOString(),
  })
})
