import { expect, test } from '@jest/globals'
import { coinPrices } from './coinPrices.ts'
import { inDollars } from './dollars.ts'

const prices = coinPrices('ETH=2500.5, XLM=0.3')
const dollar = 10n ** 18n

test.each([
  ['ethereum', 'USDC', 1_500_000n, (3n * dollar) / 2n],
  ['polygon', 'USDC.e', 1_000_000n, dollar],
  ['ethereum', 'ETH', dollar, (5001n * dollar) / 2n],
  ['base', 'ETH', 1n, 2501n],
  ['stellar', 'XLM', 1n, 3n * 10n ** 10n],
  ['polygon', 'POL', 1n, null],
])(
  'on %s, an amount of %s counts as many dollars, rounded up, and no number where its coin has no price',
  (chain, token, amount, expected) => {
    expect(inDollars(prices, { chain, token, amount })).toBe(expected)
  },
)
