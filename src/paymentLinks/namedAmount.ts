import { tooManyDecimals } from '../chains/requireAmount.ts'
import { parseDecimal, parseUnits, rescale } from '../money/amount.ts'
import { type FieldError, invalidBody } from '../platform/errors.ts'

/** What an amount that a customer names must be. Decimals in whole units. */
export interface Bounds {
  decimals: number
  min: string | null
  max: string | null
}

/** Why an amount is refused; null: it is within the bounds. Compared exactly, in units of 10^-18. */
export function mistakeOfAmount(amount: string, { decimals, min, max }: Bounds): string | null {
  const units = unitsOf(amount)
  if (units === 0n) return 'must be more than zero'
  if (parseUnits(amount, decimals) === null) return tooManyDecimals(decimals)
  if (min !== null && units < unitsOf(min)) return `must be ${min} at least`
  if (max !== null && units > unitsOf(max)) return `must be ${max} at most`
  return null
}

/** @throws ApiError 400 naming `amount` */
export function requireNamedAmount(amount: string, bounds: Bounds): void {
  const message = mistakeOfAmount(amount, bounds)
  if (message !== null) throw invalidBody({ field: 'amount', message })
}

/** What is wrong with the bounds of an open amount, before they are stored. */
export function mistakesOfBounds({ decimals, min, max }: Bounds): FieldError[] {
  const mistakes = Object.entries({ min, max }).flatMap(([name, amount]) => {
    const message = amount === null ? null : mistakeOfAmount(amount, { decimals, min: null, max: null })
    return message === null ? [] : [{ field: `openAmount.${name}`, message }]
  })
  if (mistakes.length === 0 && min !== null && max !== null && unitsOf(min) > unitsOf(max))
    return [{ field: 'openAmount.max', message: 'must not be less than the minimum' }]
  return mistakes
}

/** Finer than every token and currency. */
const scale = 18

function unitsOf(amount: string): bigint {
  const decimal = parseDecimal(amount)
  if (decimal === null) throw new Error(`not an amount: ${amount}`)
  return rescale(decimal, scale, 'down')
}
