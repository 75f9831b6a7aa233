import { expect, test } from '@jest/globals'
import { idsOf, isSendable, targetOf } from './targetOf.ts'

const urls = new Map([['e', 'https://shop.example/hooks']])
const there = idsOf([{ id: 'e' }], [{ id: 'host' }])

test.each([
  [{ endpointId: 'e' }, 'https://shop.example/hooks', true],
  [{ endpointId: 'host', url: 'https://shop.example/orders/7' }, 'https://shop.example/orders/7', true],
  [{ endpointId: 'gone', url: 'https://old.example/7' }, 'https://old.example/7', false],
  [{ endpointId: 'other' }, 'Removed', false],
  [{ endpointId: null }, 'None yet', false],
])('a delivery %j goes to %s', (delivery, target, sendable) => {
  expect([targetOf(delivery, urls), isSendable(delivery, there)]).toEqual([target, sendable])
})
