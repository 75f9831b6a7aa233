import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isOldPrice, needsConfirmation } from './priceRules.ts'

const now = new Date('2026-11-28T12:00:00.000Z')
const before = (ms: number) => ({ pricedAt: new Date(now.getTime() - ms) })
const rules = { maxAgeMs: 1_800_000 }

test('a price is old when it is older than the limit, has no time, or is of a clock that is as far ahead', () => {
  expect(
    [0, 1_800_000, 1_800_001, -1_800_000, -1_800_001].map((ms) => isOldPrice(before(ms), now, rules)),
  ).toEqual([false, false, true, false, true])
  expect(isOldPrice({ pricedAt: null }, now, rules)).toBe(true)
})

test.each([
  ['1', 100_000n, 99_000n, false],
  ['1', 100_000n, 98_999n, true],
  ['0', 100_000n, 100_000n, false],
  ['0', 100_000n, 99_999n, true],
  ['0.5', 1000n, 995n, false],
  ['0.5', 1000n, 994n, true],
])(
  'a fall by at most %s %% of %s to %s needs a confirmation: %s',
  (maxFallPercent, agreedAmount, localAmount, expected) => {
    expect(needsConfirmation({ agreedAmount, localAmount }, { maxFallPercent })).toBe(expected)
  },
)

test('without a confirmation a bank never gets less than the agreed amount less the share, at any rates', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 20n })
  fc.assert(
    fc.property(
      amount,
      fc.array(amount, { maxLength: 20 }),
      fc.integer({ min: 0, max: 99 }),
      (agreedAmount, offers, share) => {
        for (const localAmount of offers) {
          const asks = needsConfirmation({ agreedAmount, localAmount }, { maxFallPercent: `${share}` })
          // By exact fractions: localAmount < agreedAmount × (100 - share) / 100.
          expect(asks).toBe(localAmount * 100n < agreedAmount * BigInt(100 - share))
          if (localAmount >= agreedAmount) expect(asks).toBe(false)
        }
      },
    ),
  )
})
