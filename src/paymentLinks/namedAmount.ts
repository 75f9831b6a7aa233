import { tooManyDecimals } from '../chains/requireAmount.ts'
import { parseDecimal, parseUnits, rescale } from '../money/amount.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'

/** What an amount that a customer names must be. Decimals in whole units. */
export interface Bounds {
  decimals: number
  min: string | null
  max: string | null
}

/** Why an amount is refused; null: it is within the bounds. Compared exactly, in units of 10^-18. */
export function mistakeOfAmount(
  amount: string,
  { decimals, min, max }: Bounds,
): Omit<FieldMistake, 'field'> | null {
  const units = unitsOf(amount)
  if (units === 0n) return { message: 'must be more than zero', code: 'too_small' }
  if (parseUnits(amount, decimals) === null)
    return { message: tooManyDecimals(decimals), code: 'too_many_decimals' }
  if (min !== null && units < unitsOf(min)) return { message: `must be ${min} at least`, code: 'too_small' }
  if (max !== null && units > unitsOf(max)) return { message: `must be ${max} at most`, code: 'too_large' }
  return null
}

/** @throws ApiError 400 naming `amount` */
export function requireNamedAmount(amount: string, bounds: Bounds): void {
  const mistake = mistakeOfAmount(amount, bounds)
  if (mistake !== null) throw invalidBody({ field: 'amount', ...mistake })
}

/** What is wrong with the bounds of an open amount, before they are stored. */
export function mistakesOfBounds({ decimals, min, max }: Bounds): FieldMistake[] {
  const mistakes = Object.entries({ min, max }).flatMap(([name, amount]) => {
    const mistake = amount === null ? null : mistakeOfAmount(amount, { decimals, min: null, max: null })
    return mistake === null ? [] : [{ field: `openAmount.${name}`, ...mistake }]
  })
  if (mistakes.length === 0 && min !== null && max !== null && unitsOf(min) > unitsOf(max))
    return [{ field: 'openAmount.max', message: 'must not be less than the minimum', code: 'invalid_range' }]
  return mistakes
}

/** Finer than every token and currency. */
const scale = 18

function unitsOf(amount: string): bigint {
  const decimal = parseDecimal(amount)
  if (decimal === null) throw new Error(`not an amount: ${amount}`)
  return rescale(decimal, scale, 'down')
}
