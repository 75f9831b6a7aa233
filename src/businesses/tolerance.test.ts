import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { storedTolerance, toleratedOf } from './tolerance.ts'

const usdc = (units: number) => BigInt(Math.round(units * 1e6))

test.each([
  ['nothing', null, usdc(100), 6, 0n],
  ['half a percent', { percent: '0.5' }, usdc(100), 6, usdc(0.5)],
  ['a share, rounded down', { percent: '1' }, 199n, 6, 1n],
  ['an amount', { amount: '0.25' }, usdc(100), 6, usdc(0.25)],
  ['an amount in 18 decimals', { amount: '0.25' }, 100n * 10n ** 18n, 18, 25n * 10n ** 16n],
  ['an amount of a small session: a tenth of it', { amount: '5' }, usdc(10), 6, usdc(1)],
  ['the largest share', { percent: '10' }, usdc(10), 6, usdc(1)],
  ['a share of too small an amount', { percent: '10' }, 9n, 6, 0n],
] as const)('%s', (_name, tolerance, requested, decimals, tolerated) => {
  expect(toleratedOf(tolerance, requested, decimals)).toBe(tolerated)
})

test('no tolerance is more than a tenth, so that nothing is never enough', () => {
  const percent = fc.integer({ min: 0, max: 1000 }).map((n) => ({ percent: String(n / 100) }))
  const amount = fc.integer({ min: 0, max: 999_999 }).map((n) => ({ amount: String(n) }))
  fc.assert(
    fc.property(
      fc.oneof(percent, amount),
      fc.bigInt({ min: 1n, max: 10n ** 30n }),
      (tolerance, requested) => {
        const tolerated = toleratedOf(tolerance, requested, 6)
        expect(tolerated >= 0n && tolerated * 10n <= requested).toBe(true)
      },
    ),
  )
})

test('is read from its columns in the shortest form; zero is none', () => {
  expect(storedTolerance({ tolerancePercent: '0.50', toleranceAmount: null })).toEqual({ percent: '0.5' })
  expect(storedTolerance({ tolerancePercent: null, toleranceAmount: '2' })).toEqual({ amount: '2' })
  for (const zero of ['0', '0.00']) {
    expect(storedTolerance({ tolerancePercent: zero, toleranceAmount: null })).toBeNull()
    expect(storedTolerance({ tolerancePercent: null, toleranceAmount: zero })).toBeNull()
  }
})
