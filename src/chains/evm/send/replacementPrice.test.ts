import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { MarketPrice } from '../../sending.ts'
import { type FeePrice, marketPrice, reducedPrice, replacementPrice, standingOf } from './replacementPrice.ts'

const wei = fc.bigInt({ min: 0n, max: 10n ** 13n })
const anyPrice: fc.Arbitrary<FeePrice> = fc
  .record({ tip: wei, rest: wei })
  .map(({ tip, rest }) => ({ maxFeePerGas: tip + rest, maxPriorityFeePerGas: tip }))
const anyMarket: fc.Arbitrary<MarketPrice> = fc.record({ baseFee: wei, tip: wei })
const anyCap = fc.bigInt({ min: 0n, max: 10n ** 14n })

/** geth (`txpool.pricebump` 10): both fees must reach this, and be higher. */
const isReplacement = (last: FeePrice, next: FeePrice, percent: bigint) =>
  (['maxFeePerGas', 'maxPriorityFeePerGas'] as const).every(
    (fee) => next[fee] > last[fee] && next[fee] * 100n >= last[fee] * (100n + percent),
  )

describe('the price of a replacement', () => {
  test('rises by what nodes require of both fees, stays within the limit, and is valid', () => {
    fc.assert(
      fc.property(anyPrice, anyMarket, anyCap, (last, market, cap) => {
        const next = replacementPrice(last, market, cap)
        if (next === null) return
        expect(isReplacement(last, next, 10n)).toBe(true)
        expect(next.maxFeePerGas * 8n).toBeGreaterThanOrEqual(last.maxFeePerGas * 9n)
        expect(next.maxFeePerGas).toBeLessThanOrEqual(cap)
        expect(next.maxPriorityFeePerGas).toBeLessThanOrEqual(next.maxFeePerGas)
      }),
    )
  })

  test('never falls where the market rises', () => {
    fc.assert(
      fc.property(anyPrice, anyMarket, wei, wei, anyCap, (last, market, base, tip, cap) => {
        const [less, more] = [market, { baseFee: market.baseFee + base, tip: market.tip + tip }].map((each) =>
          replacementPrice(last, each, cap),
        )
        expect(less === null).toBe(more === null)
        if (!less || !more) return
        expect(more.maxFeePerGas).toBeGreaterThanOrEqual(less.maxFeePerGas)
        expect(more.maxPriorityFeePerGas).toBeGreaterThanOrEqual(less.maxPriorityFeePerGas)
      }),
    )
  })

  test('is that of the market, exactly the limit, or the minimum step, and pays enough below the limit', () => {
    fc.assert(
      fc.property(anyPrice, anyMarket, anyCap, (last, market, cap) => {
        const next = replacementPrice(last, market, cap)
        if (next === null) return
        const wanted = marketPrice(market).maxFeePerGas
        if (wanted >= cap) expect(next.maxFeePerGas).toBe(cap)
        else expect(standingOf(next, market)).toBe('enough')
      }),
    )
  })

  test('is missing only where the limit is below the minimum step', () => {
    const [last, market] = [
      { maxFeePerGas: 80n, maxPriorityFeePerGas: 8n },
      { baseFee: 1000n, tip: 1n },
    ]
    expect(replacementPrice(last, market, 89n)).toBeNull()
    expect(replacementPrice(last, market, 90n)).toEqual({ maxFeePerGas: 90n, maxPriorityFeePerGas: 9n })
    expect(replacementPrice(last, market, 100n)).toEqual({ maxFeePerGas: 100n, maxPriorityFeePerGas: 9n })
    expect(replacementPrice(last, market, 10_000n)).toEqual({ maxFeePerGas: 2001n, maxPriorityFeePerGas: 9n })
    expect(replacementPrice(last, { baseFee: 1n, tip: 1n }, 10_000n)).toEqual({
      maxFeePerGas: 90n,
      maxPriorityFeePerGas: 9n,
    })
  })
})

test('a price above the limit is reduced to it only where the next block would include it', () => {
  fc.assert(
    fc.property(anyMarket, anyCap, (market, cap) => {
      const reduced = reducedPrice(marketPrice(market), market, cap)
      expect(reduced === null).toBe(cap <= market.baseFee)
      if (reduced === null) return
      expect(reduced.maxFeePerGas).toBe(cap)
      expect(reduced.maxPriorityFeePerGas).toBeLessThanOrEqual(cap)
    }),
  )
})

test('a price stands out of the market, below it, or pays enough', () => {
  const market = { baseFee: 100n, tip: 10n }
  expect(standingOf({ maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }, market)).toBe('excluded')
  expect(standingOf({ maxFeePerGas: 101n, maxPriorityFeePerGas: 10n }, market)).toBe('below')
  expect(standingOf({ maxFeePerGas: 500n, maxPriorityFeePerGas: 9n }, market)).toBe('below')
  expect(standingOf({ maxFeePerGas: 110n, maxPriorityFeePerGas: 10n }, market)).toBe('enough')
})
