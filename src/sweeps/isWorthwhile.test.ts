import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Ratio, ratioOf } from '../money/ratio.ts'
import { isWorthwhile } from './isWorthwhile.ts'
import { costRules } from './settings.ts'

const ether = { symbol: 'ETH', decimals: 18 }
const usdc = { contract: '0xa0', symbol: 'USDC', decimals: 6 }
const ratio = (text: string): Ratio => ratioOf(text) ?? { numerator: 0n, denominator: 1n }
const rules = costRules('0.02', 'ETH=2500, BNB=600.5')

test('a token is compared with the price of its fee, to the last unit', () => {
  // 0.00002 ETH is 0.05 USD: 2 % of 2.5 USDC.
  const cost = 20_000_000_000_000n
  expect(
    [2_500_000n, 2_499_999n].map((amount) => isWorthwhile(rules, { token: usdc, amount, cost }, ether)),
  ).toEqual([true, false])
  expect(
    isWorthwhile(rules, { token: { ...usdc, decimals: 18 }, amount: 25n * 10n ** 17n, cost }, ether),
  ).toBe(true)
})

test('without a price a token is swept at any cost; the native coin is compared with its own fee', () => {
  expect(isWorthwhile(costRules('0.02', ''), { token: usdc, amount: 1n, cost: 10n ** 18n }, ether)).toBe(true)
  expect([50n, 49n].map((amount) => isWorthwhile(rules, { token: null, amount, cost: 1n }, ether))).toEqual([
    true,
    false,
  ])
})

test('what is worth its cost is worth a lower cost, and so is a larger amount', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 24n })
  fc.assert(
    fc.property(amounts, amounts, amounts, fc.constantFrom(usdc, null), (amount, cost, more, token) => {
      if (!isWorthwhile(rules, { token, amount, cost }, ether)) return
      expect(isWorthwhile(rules, { token, amount: amount + more, cost }, ether)).toBe(true)
      expect(isWorthwhile(rules, { token, amount, cost: cost > more ? cost - more : 0n }, ether)).toBe(true)
    }),
  )
})

test('shares and prices are exact decimals', () => {
  expect(ratio('0.02')).toEqual({ numerator: 2n, denominator: 100n })
  expect(rules.coinUsd.get('BNB')).toEqual({ numerator: 6005n, denominator: 10n })
  for (const wrong of ['', '0', '-1', '1e3', '2 %', '.5'])
    expect([wrong, ratioOf(wrong)]).toEqual([wrong, null])
  expect(() => costRules('0.02', 'ETH')).toThrow('not valid')
})
