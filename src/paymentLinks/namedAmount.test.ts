import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatUnits } from '../money/amount.ts'
import { mistakeOfAmount, mistakesOfBounds } from './namedAmount.ts'

const decimals = fc.integer({ min: 0, max: 18 })
const units = fc.bigInt({ min: 1n, max: 10n ** 30n })

describe('an amount that a customer names', () => {
  test('is taken exactly where it is within the bounds, to the last unit', () => {
    fc.assert(
      fc.property(decimals, units, units, units, (places, amount, one, other) => {
        const [min, max] = one < other ? [one, other] : [other, one]
        const text = (value: bigint) => formatUnits(value, places)
        const mistake = mistakeOfAmount(text(amount), { decimals: places, min: text(min), max: text(max) })
        expect(mistake === null).toBe(min <= amount && amount <= max)
      }),
    )
  })

  test('at a bound is taken, and one unit beyond it is not', () => {
    fc.assert(
      fc.property(decimals, units, (places, bound) => {
        const [below, at, above] = [bound - 1n, bound, bound + 1n].map((value) => formatUnits(value, places))
        const of = (amount = '', bounds: { min?: string; max?: string }) =>
          mistakeOfAmount(amount, { decimals: places, min: null, max: null, ...bounds })
        expect(of(at, { min: at ?? '', max: at ?? '' })).toBeNull()
        expect(of(below, { min: at ?? '' })).not.toBeNull()
        expect(of(above, { max: at ?? '' })).not.toBeNull()
      }),
    )
  })

  test('has no more decimals than its currency or token, whatever the last of them is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 17 }), units, (places, value) => {
        const bounds = { decimals: places, min: null, max: null }
        const finer = formatUnits(value * 10n + 1n, places + 1)
        expect(mistakeOfAmount(finer, bounds)?.code).toBe('too_many_decimals')
        expect(mistakeOfAmount(formatUnits(value, places), bounds)).toBeNull()
      }),
    )
  })

  test.each(['0', '0.00'])('of %s is refused', (amount) => {
    expect(mistakeOfAmount(amount, { decimals: 2, min: null, max: null })).toEqual({
      message: 'must be more than zero',
      code: 'too_small',
    })
  })
})

describe('bounds of an open amount', () => {
  test.each([
    [{ min: '5', max: '4.99' }, ['openAmount.max']],
    [{ min: '0', max: null }, ['openAmount.min']],
    [{ min: '0.001', max: '1.001' }, ['openAmount.min', 'openAmount.max']],
    [{ min: '5', max: '5.00' }, []],
    [{ min: null, max: null }, []],
  ])('%j have mistakes in %j', (bounds, fields) => {
    expect(mistakesOfBounds({ decimals: 2, ...bounds }).map(({ field }) => field)).toEqual(fields)
  })
})
