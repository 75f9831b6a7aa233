import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatUnits as viemFormatUnits, parseUnits as viemParseUnits } from 'viem'
import { formatUnits, parseUnits } from '../../money/amount.ts'

const decimals = fc.integer({ min: 0, max: 30 })
const digits = (length: { minLength: number; maxLength: number }) =>
  fc.string({ ...length, unit: fc.constantFrom(...'0123456789') })
const wholes = digits({ minLength: 1, maxLength: 40 }).map((text) => BigInt(text).toString())

test('decimal strings parse to the same units as in viem', () => {
  fc.assert(
    fc.property(
      decimals.chain((places) =>
        fc.tuple(fc.constant(places), wholes, digits({ minLength: 0, maxLength: places })),
      ),
      ([places, whole, fraction]) => {
        const text = fraction ? `${whole}.${fraction}` : whole
        expect(parseUnits(text, places)).toBe(viemParseUnits(text, places))
      },
    ),
  )
})

test('amounts are formatted as in viem, negative ones included', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 78n), max: 10n ** 78n }), decimals, (amount, places) =>
      expect(formatUnits(amount, places)).toBe(viemFormatUnits(amount, places)),
    ),
  )
})
