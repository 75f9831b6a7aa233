import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { divide, formatUnits, parseDecimal, parseUnits, rescale } from './amount.ts'

const decimals = fc.integer({ min: 0, max: 30 })
/** Any non-negative amount that `numeric(78,0)` can hold. */
const amounts = fc.bigInt({ min: 0n, max: 10n ** 78n - 1n })

describe('reading an amount', () => {
  test.each([
    ['0', 6, 0n],
    ['0.0', 1, 0n],
    ['12.50', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['1', 0, 1n],
    ['1', 18, 1_000_000_000_000_000_000n],
    ['123456789012345678901234567890.123456', 6, 123456789012345678901234567890123456n],
  ])('%s with %i places is %s', (text, places, units) => {
    expect(parseUnits(text, places)).toBe(units)
  })

  test.each([
    ['an exponent', '1e3'],
    ['an exponent in upper case', '1E3'],
    ['no number', 'NaN'],
    ['infinity', 'Infinity'],
    ['a minus sign', '-1'],
    ['a minus sign before zero', '-0'],
    ['a plus sign', '+1'],
    ['a leading zero', '01'],
    ['two leading zeros', '00'],
    ['a leading zero before a point', '01.5'],
    ['no whole part', '.5'],
    ['no fraction after the point', '5.'],
    ['a point alone', '.'],
    ['two points', '1.2.3'],
    ['a space before', ' 1'],
    ['a space after', '1 '],
    ['a newline after', '1\n'],
    ['a comma', '1,0'],
    ['a group mark', '1_000'],
    ['nothing', ''],
    ['hexadecimal', '0x1'],
    ['a BigInt literal', '1n'],
    ['an Arabic-Indic digit', '١'],
    ['a full-width digit', '\uff11'],
    ['a digit of another script after the point', '1.٥'],
    ['a fraction', '1/2'],
    ['a NUL', '1\0'],
  ])('%s is refused', (_what, text) => {
    expect(parseDecimal(text)).toBeNull()
    expect(parseUnits(text, 18)).toBeNull()
  })

  test('more places than the unit has are refused, unless they are zeros', () => {
    expect(parseUnits('1.1234567', 6)).toBeNull()
    expect(parseUnits('0.0000001', 6)).toBeNull()
    expect(parseUnits('1000.01', 0)).toBeNull()
    expect(parseUnits('1.1234560', 6)).toBe(1_123_456n)
    expect(parseUnits('1000.00', 0)).toBe(1000n)
    expect(parseUnits('0.00', 0)).toBe(0n)
    expect(parseUnits('1.123456', 6)).toBe(1_123_456n)
  })

  test('any text is a decimal of digits and at most one point, or it is refused', () => {
    const near = fc.string({ maxLength: 12, unit: fc.constantFrom(...'0123456789.-+eE, x٣') })
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        const [whole = '', ...fractions] = text.split('.')
        const onlyDigits = (part: string) => part.length > 0 && [...part].every((c) => c >= '0' && c <= '9')
        const good =
          onlyDigits(whole) &&
          (whole === '0' || whole[0] !== '0') &&
          fractions.length <= 1 &&
          fractions.every(onlyDigits)
        expect(parseDecimal(text)).toEqual(
          good ? { value: BigInt(whole + fractions.join('')), scale: fractions.join('').length } : null,
        )
      }),
      { numRuns: 1000 },
    )
  })
})

describe('writing an amount', () => {
  test('a written amount is read back as the same amount', () => {
    fc.assert(
      fc.property(amounts, decimals, (amount, places) =>
        expect(parseUnits(formatUnits(amount, places), places)).toBe(amount),
      ),
    )
  })

  test('it is the shortest form: no zeros at the end, no point without digits', () => {
    expect(formatUnits(1_500_000n, 6)).toBe('1.5')
    expect(formatUnits(1_000_000n, 6)).toBe('1')
    expect(formatUnits(1n, 6)).toBe('0.000001')
    expect(formatUnits(0n, 6)).toBe('0')
    expect(formatUnits(0n, 0)).toBe('0')
    expect(formatUnits(100n, 0)).toBe('100')
    expect(formatUnits(-1n, 6)).toBe('-0.000001')
  })
})

describe('dividing', () => {
  test('up gives the smallest whole number that covers the quotient, down the largest below it', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 1n, max: 10n ** 40n }), (numerator, denominator) => {
        const up = divide(numerator, denominator, 'up')
        const down = divide(numerator, denominator, 'down')
        expect(up * denominator >= numerator).toBe(true)
        expect((up - 1n) * denominator < numerator).toBe(true)
        expect(down * denominator <= numerator).toBe(true)
        expect((down + 1n) * denominator > numerator).toBe(true)
      }),
    )
  })

  test('an exact quotient is not rounded', () => {
    expect(divide(12n, 4n, 'up')).toBe(3n)
    expect(divide(12n, 4n, 'down')).toBe(3n)
    expect(divide(13n, 4n, 'up')).toBe(4n)
    expect(divide(15n, 4n, 'down')).toBe(3n)
    expect(divide(0n, 4n, 'up')).toBe(0n)
    expect(divide(1n, 10n ** 30n, 'up')).toBe(1n)
  })
})

describe('rescaling', () => {
  test.each([
    ['1.5', 3, 'up', 1500n],
    ['1.5', 1, 'down', 15n],
    ['1.5', 0, 'up', 2n],
    ['1.5', 0, 'down', 1n],
    ['1.999', 2, 'down', 199n],
    ['1.991', 2, 'up', 200n],
    ['1.990', 2, 'up', 199n],
    ['0.0001', 2, 'up', 1n],
    ['0.0001', 2, 'down', 0n],
  ] as const)('%s at scale %i rounded %s is %s', (text, scale, rounding, expected) => {
    const decimal = parseDecimal(text)
    expect(decimal && rescale(decimal, scale, rounding)).toBe(expected)
  })

  test('a finer scale is exact, a coarser one loses less than a unit', () => {
    fc.assert(
      fc.property(amounts, decimals, decimals, (value, from, to) => {
        const up = rescale({ value, scale: from }, to, 'up')
        const down = rescale({ value, scale: from }, to, 'down')
        // Compared at the sum of both scales, where both are whole.
        const exact = value * 10n ** BigInt(to)
        const unit = 10n ** BigInt(from)
        if (to >= from) expect(up).toBe(down)
        expect(down * unit <= exact && exact < (down + 1n) * unit).toBe(true)
        expect(up * unit >= exact && exact > (up - 1n) * unit).toBe(true)
      }),
    )
  })
})
