import { expect, test } from '@jest/globals'
import { valuationIn, worthFrom } from './valuation.ts'

const coinUsd = new Map([['ETH', { numerator: 5001n, denominator: 2n }]])
const rates = (rate: string | null) => ({
  midOrNull: async () => (rate === null ? null : { rate, at: new Date(), source: 'test' }),
})
const usdc = { chain: 'ethereum', token: 'USDC' }

test('a stablecoin is one dollar, and a coin what the operator set, exactly', async () => {
  const { worthOf, show } = await valuationIn({ rates: null, coinUsd }, 'USD')
  expect(show(worthOf(usdc, 1_234_567n, 6) ?? -1n)).toBe('1.23')
  expect(show(worthOf({ chain: 'ethereum', token: 'ETH' }, 2n * 10n ** 18n, 18) ?? -1n)).toBe('5001')
  expect(show(worthOf({ chain: null, token: 'USD' }, 2_500_000n, 6) ?? -1n)).toBe('2.5')
})

test('a coin without a price, and a token of no known worth, have none', async () => {
  const { worthOf } = await valuationIn({ rates: null, coinUsd }, 'USD')
  expect(worthOf({ chain: 'bsc', token: 'BNB' }, 1n, 18)).toBeNull()
  expect(worthOf({ chain: 'ethereum', token: 'PEPE' }, 1n, 18)).toBeNull()
})

test('another currency takes the partner’s rate; without one nothing has a price', async () => {
  const { worthOf, show } = await valuationIn({ rates: rates('1570.35'), coinUsd }, 'NGN')
  expect(show(worthOf(usdc, 3_000_001n, 6) ?? -1n)).toBe('4711.05')
  for (const none of [null, rates(null)])
    expect((await valuationIn({ rates: none, coinUsd }, 'NGN')).worthOf(usdc, 1n, 6)).toBeNull()
})

test('sums are exact, and rounded down once, to the unit of the currency', async () => {
  const { show } = await valuationIn({ rates: null, coinUsd }, 'JPY')
  const sum = Array.from({ length: 10 }, () => worthFrom('0.1')).reduce((all, each) => all + each, 0n)
  expect(show(sum)).toBe('1')
  expect(show(worthFrom('1999.99999999'))).toBe('1999')
  const huge = '1234567890123456789012345678901.12'
  expect((await valuationIn({ rates: null, coinUsd }, 'USD')).show(worthFrom(huge))).toBe(huge)
})
