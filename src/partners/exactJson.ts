import { z } from 'zod'

/** A number of a JSON text, as it was written. */
export class JsonNumber {
  readonly literal: string
  constructor(literal: string) {
    this.literal = literal
  }
}

/** What V8 gives to a reviver since version 11.4; TypeScript does not know it yet. */
type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown

/**
 * Parses JSON without a loss: `0.1` and `12345678901234567.89` keep their digits.
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  const keep: Reviver = (_name, value, { source }) =>
    typeof value === 'number' ? new JsonNumber(source ?? '') : value
  return JSON.parse(text, keep as (name: string, value: unknown) => unknown)
}

/** No amount has as many digits or zeros; a longer one would cost memory. */
const maxLength = 60

/**
 * A number's literal as a plain decimal of the same value: `1.5e3` is `1500`.
 * @returns null for a text that is not a JSON number, or is longer than any amount
 */
export function plainDecimal(literal: string): string | null {
  if (literal.length > maxLength) return null
  const [, sign, whole, fraction = '', exponent] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(literal) ?? []
  if (whole === undefined) return null
  const shift = Number(exponent ?? 0)
  if (Math.abs(shift) > maxLength) return null
  const digits = whole + fraction
  const point = whole.length + shift
  const plain = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  const rest = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits
  const unsigned = plain.replace(/^0+(?=\d)/, '') + (rest === '' ? '' : `.${rest}`)
  return sign === '-' && /[1-9]/.test(unsigned) ? `-${unsigned}` : unsigned
}

/**
 * A decimal of an answer as an exact decimal string: a number, or a text that is written like one. It may be
 * below zero.
 */
export const signedAmount = z.union([z.instanceof(JsonNumber), z.string()]).transform((value, context) => {
  const plain = plainDecimal(value instanceof JsonNumber ? value.literal : value)
  if (plain !== null) return plain
  context.addIssue({ code: 'custom', message: 'must be a decimal' })
  return z.NEVER
})

/** The same, not below zero. */
export const amount = signedAmount.pipe(z.string().regex(/^\d/, 'must not be negative'))
