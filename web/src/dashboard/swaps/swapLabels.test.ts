import { expect, test } from '@jest/globals'
import { boughtLabel, boughtName, soldName, swapReasonLabels } from './swapLabels.ts'

const swap = {
  sellToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  sellSymbol: 'USDC',
  buyToken: 'native',
  buySymbol: null,
  feeCurrency: 'ETH',
}

test('a token has its symbol, the name of the coin, or its shortened address', () => {
  expect([soldName(swap), boughtName(swap)]).toEqual(['USDC', 'ETH'])
  expect(soldName({ ...swap, sellSymbol: null })).toBe('0x8335…2913')
  // A token may call itself by the name of a coin; the coin itself has no symbol of its own.
  expect(boughtName({ ...swap, buySymbol: 'BTC' })).toBe('ETH')
})

test('a reason that is newer than the page is shown as it is', () => {
  expect(swapReasonLabels('step_failed')).toMatch(/^Its approval failed/)
  expect(swapReasonLabels('something_new')).toBe('something_new')
})

test.each([
  ['pending', undefined, 'Buys, as quoted'],
  ['failed', undefined, 'Buys, as quoted'],
  ['confirmed', undefined, 'Bought, as quoted'],
  ['confirmed', '99.7', 'Bought'],
] as const)(
  'the amount of a swap that is %s, of which %s arrived, is called %s',
  (status, amountReceived, label) => {
    expect(boughtLabel({ status, amountReceived })).toBe(label)
  },
)
