import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { checkPrice, minimumOf, priceOf } from './checkPrice.ts'
import type { PriceAnswer, PriceQuestion } from './provider.ts'

const question: PriceQuestion = {
  network: '1',
  sellToken: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  buyToken: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  sellAmount: 100_000_000n,
  slippageBps: 50,
}
const answer: PriceAnswer = {
  ...question,
  buyAmount: 99_962_001n,
  minBuyAmount: 99_462_190n,
  estimatedGas: null,
  data: {},
}

test('an answer to the question is taken', () => {
  expect(minimumOf(answer.buyAmount, 50)).toBe(answer.minBuyAmount)
  expect(() => checkPrice(question, answer)).not.toThrow()
  expect(() => checkPrice(question, { ...answer, minBuyAmount: answer.buyAmount })).not.toThrow()
})

describe('an unsafe answer is refused:', () => {
  test.each<[string, Partial<PriceAnswer>]>([
    ['another token to sell', { sellToken: question.buyToken }],
    ['another token to buy', { buyToken: question.sellToken }],
    ['a larger amount to sell', { sellAmount: question.sellAmount + 1n }],
    ['a smaller amount to sell', { sellAmount: question.sellAmount - 1n }],
    ['a minimum that is one unit too low', { minBuyAmount: answer.minBuyAmount - 1n }],
    ['a minimum above the price', { minBuyAmount: answer.buyAmount + 1n }],
  ])('%s', (_name, wrong) => {
    expect(() => checkPrice(question, { ...answer, ...wrong })).toThrow(
      expect.objectContaining({ problem: 'unsafe_answer' }),
    )
  })
})

test('an amount that buys nothing finds no liquidity', () => {
  const nothing = { ...answer, buyAmount: 0n, minBuyAmount: 0n }
  expect(() => checkPrice(question, nothing)).toThrow(expect.objectContaining({ problem: 'no_liquidity' }))
})

const amounts = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
const slippages = fc.integer({ min: 1, max: 5000 })

test('the minimum is the price less the slippage, rounded down to the unit', () => {
  fc.assert(
    fc.property(amounts, slippages, (amount, bps) => {
      const exact = amount * BigInt(10_000 - bps)
      const minimum = minimumOf(amount, bps)
      expect(minimum * 10_000n <= exact && exact < (minimum + 1n) * 10_000n).toBe(true)
    }),
  )
})

describe('a price', () => {
  const sold = { amount: 100_000_000n, decimals: 6 }
  test.each([
    [{ amount: 99_962_000n, decimals: 6 }, '0.99962'],
    [{ amount: 10n ** 20n, decimals: 18 }, '1'],
    [{ amount: 1n, decimals: 18 }, '0.00000000000000000001'],
    [{ amount: 33_333_333n, decimals: 0 }, '333333.33'],
  ])('of a hundred for %p is %s', (bought, price) => {
    expect(priceOf(sold, bought)).toBe(price)
  })

  test('of a third has 18 digits, rounded down', () => {
    const third = { amount: 1n, decimals: 0 }
    expect(priceOf({ amount: 3n, decimals: 0 }, third)).toBe(`0.${'3'.repeat(18)}`)
    expect(priceOf({ amount: 3n, decimals: 0 }, { amount: 2n * 10n ** 30n, decimals: 0 })).toBe(
      `${'6'.repeat(18)}${'0'.repeat(12)}`,
    )
  })

  test('is never above the exact one, and less than it by under a part in 10^17', () => {
    const sides = fc.record({ amount: amounts, decimals: fc.integer({ min: 0, max: 30 }) })
    fc.assert(
      fc.property(sides, sides, (one, other) => {
        const [whole = '', fraction = ''] = priceOf(one, other).split('.')
        const [value, scale] = [BigInt(whole + fraction), 10n ** BigInt(fraction.length)]
        const [exact, unit] = [
          other.amount * 10n ** BigInt(one.decimals),
          one.amount * 10n ** BigInt(other.decimals),
        ]
        const [shown, real] = [value * unit, exact * scale]
        expect(shown <= real && (real - shown) * 10n ** 17n < real).toBe(true)
      }),
    )
  })
})
