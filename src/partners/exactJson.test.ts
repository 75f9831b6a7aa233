import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { amount, JsonNumber, parseExact, plainDecimal, signedAmount } from './exactJson.ts'

/** A decimal by other means: the fraction that it is. */
function fractionOf(text: string): { value: bigint; scale: bigint } {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const shift = BigInt(exponent) - BigInt(fraction.length)
  const digits = BigInt(`${sign}${whole}${fraction}`)
  return shift >= 0n ? { value: digits * 10n ** shift, scale: 1n } : { value: digits, scale: 10n ** -shift }
}
const isEqual = (a: string, b: string): boolean => {
  const [one, other] = [fractionOf(a), fractionOf(b)]
  return one.value * other.scale === other.value * one.scale
}

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))
const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/))
const literals = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.option(digits(1, 12)),
    fc.option(fc.integer({ min: -20, max: 20 })),
    fc.constantFrom('e', 'E', 'e+'),
  )
  .map(([sign, int, fraction, exponent, e]) =>
    [
      sign,
      int,
      fraction === null ? '' : `.${fraction}`,
      exponent === null ? '' : `${exponent < 0 ? e.charAt(0) : e}${exponent}`,
    ].join(''),
  )

describe('a number of a JSON text', () => {
  test('keeps its literal, at any depth and next to any other value', () => {
    fc.assert(
      fc.property(literals, fc.jsonValue(), (literal, other) => {
        const rest = JSON.stringify(other)
        const parsed = parseExact(`{"a":[{"b":${literal}}],"c":${rest},"d":"${literal}"}`) as {
          a: { b: JsonNumber }[]
          d: string
        }
        expect(parsed.a[0]?.b).toEqual(new JsonNumber(literal))
        expect(parsed.d).toBe(literal)
      }),
    )
  })

  test('is a plain decimal of exactly the same value', () => {
    fc.assert(
      fc.property(literals, (literal) => {
        const plain = plainDecimal(literal)
        expect(plain).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
        expect([literal, plain, isEqual(literal, plain ?? '1')]).toEqual([literal, plain, true])
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['50', '50'],
    ['50.00', '50.00'],
    ['0.1', '0.1'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['1e3', '1000'],
    ['1.5E3', '1500'],
    ['1.2345e2', '123.45'],
    ['9.5e-7', '0.00000095'],
    ['0e5', '0'],
    ['-0', '0'],
    ['-0.50', '-0.50'],
  ])('%s is %s', (literal, plain) => expect(plainDecimal(literal)).toBe(plain))

  test.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '.5',
    '5.',
    '1e',
    '1e999',
    '0x10',
    'NaN',
    'Infinity',
    '1,000',
    '١',
    '9'.repeat(61),
  ])('%j is no amount', (text) => expect(plainDecimal(text)).toBeNull())
})

test('an amount of an answer is a number or a text, and not below zero where it must not be', () => {
  const read = (form: z.ZodType, json: string) => z.object({ a: form }).safeParse(parseExact(`{"a":${json}}`))
  for (const json of ['12.50', '"12.50"']) expect(read(amount, json).data).toEqual({ a: '12.50' })
  expect(read(signedAmount, '-3.25').data).toEqual({ a: '-3.25' })
  for (const json of ['-3.25', '"-3.25"', '"12,50"', '""', 'true', 'null', '[]', '{}', '1e99'])
    expect([json, read(amount, json).success]).toEqual([json, false])
})
