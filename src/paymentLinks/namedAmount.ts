import { tooManyDecimals } from '../chains/requireAmount.ts'
import { finestDecimals, parseUnits, unitsOf } from '../money/amount.ts'
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
  const units = finely(amount)
  if (units === 0n) return { message: 'must be more than zero', code: 'too_small' }
  if (parseUnits(amount, decimals) === null)
    return { message: tooManyDecimals(decimals), code: 'too_many_decimals' }
  if (min !== null && units < finely(min)) return { message: `must be ${min} at least`, code: 'too_small' }
  if (max !== null && units > finely(max)) return { message: `must be ${max} at most`, code: 'too_large' }
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
  if (mistakes.length === 0 && min !== null && max !== null && finely(min) > finely(max))
    return [{ field: 'openAmount.max', message: 'must not be less than the minimum', code: 'invalid_range' }]
  return mistakes
}

const finely = (amount: string): bigint => unitsOf(amount, finestDecimals, 'down')
