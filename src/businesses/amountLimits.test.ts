import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Family } from '../chains/chain.ts'
import { maxUnits } from '../chains/maxUnits.ts'
import { formatUnits } from '../money/amount.ts'
import { type AmountLimit, boundsOf, mistakeOfUnits } from './amountLimits.ts'

const families = ['evm', 'tron', 'solana', 'stellar'] as const satisfies Family[]
const family = fc.constantFrom(...families)
const decimals = fc.integer({ min: 0, max: 18 })
const chainOf = (of: Family) => ({ name: 'base', family: of }) as const
const limitOf = (min: string | null, max: string | null, chain: string | null = null): AmountLimit => ({
  token: 'USDC',
  chain,
  min,
  max,
})
const codeOf = (limits: AmountLimit[], of: Family, places: number, units: bigint) =>
  mistakeOfUnits(limits, chainOf(of), { symbol: 'USDC', decimals: places }, units)?.code ?? null

describe('an amount of a session', () => {
  test('is taken exactly where it is within the limits, to the last unit', () => {
    const units = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(family, decimals, units, units, units, (of, places, amount, one, other) => {
        const [min, max] = one < other ? [one, other] : [other, one]
        const limits = [limitOf(formatUnits(min, places), formatUnits(max, places))]
        for (const each of [amount, min, max, min - 1n, max + 1n]) {
          const isTaken = each >= min && each <= max && each <= maxUnits(of)
          expect(codeOf(limits, of, places, each) === null).toBe(isTaken)
        }
        expect(codeOf(limits, of, places, min - 1n)).toBe('amount_below_minimum')
        expect(codeOf(limits, of, places, max + 1n)).toBe('amount_above_maximum')
      }),
    )
  })

  test('is compared exactly with a limit that is finer than the units of the chain', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 17 }),
        fc.bigInt({ min: 1n, max: 10n ** 40n }),
        fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
        (places, bound, units) => {
          // Both in units of 10^-18.
          const fine = units * 10n ** BigInt(18 - places)
          const text = formatUnits(bound, 18)
          expect(codeOf([limitOf(text, null)], 'evm', places, units) === null).toBe(fine >= bound)
          expect(codeOf([limitOf(null, text)], 'evm', places, units) === null).toBe(fine <= bound)
        },
      ),
    )
  })

  test.each([
    ['evm', 2n ** 256n - 1n],
    ['tron', 2n ** 256n - 1n],
    ['solana', 2n ** 64n - 1n],
    ['stellar', 2n ** 63n - 1n],
  ] as const)('may be what %s can hold, and no unit more, whatever its business allows', (of, max) => {
    for (const limits of [[], [limitOf('1', formatUnits(2n ** 256n, 0))]])
      expect([max, max + 1n].map((units) => codeOf(limits, of, 0, units))).toEqual([
        null,
        'amount_above_maximum',
      ])
  })
})

test('the limit of a token on a chain counts there in place of that of the token', () => {
  const limits = [limitOf('5', '10'), limitOf(null, '7', 'base'), { ...limitOf('1', '1'), token: 'USDT' }]
  const usdc = { symbol: 'USDC', decimals: 2 } as const
  expect(boundsOf(limits, chainOf('evm'), usdc)).toMatchObject({ min: 0n, max: 700n })
  expect(boundsOf(limits, { name: 'polygon', family: 'evm' }, usdc)).toMatchObject({ min: 500n, max: 1000n })
})
