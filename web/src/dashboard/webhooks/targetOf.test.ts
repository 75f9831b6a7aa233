import { expect, test } from '@jest/globals'
import { isSendable, targetOf } from './targetOf.ts'

const urls = new Map([['e', 'https://shop.example/hooks']])

test.each([
  [{ endpointId: 'e' }, 'https://shop.example/hooks', true],
  [{ endpointId: 'host', url: 'https://shop.example/orders/7' }, 'https://shop.example/orders/7', true],
  [{ endpointId: 'other' }, 'Removed', false],
  [{ endpointId: null }, 'None yet', false],
])('a delivery %j goes to %s', (delivery, target, sendable) => {
  expect([targetOf(delivery, urls), isSendable(delivery, urls)]).toEqual([target, sendable])
})
