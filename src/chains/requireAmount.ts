import { parseDecimal, parseUnits } from '../money/amount.ts'
import { invalidBody } from '../platform/errors.ts'

export const tooManyDecimals = (decimals: number): string => `may have ${decimals} decimals at most`

/** An amount in base units. @throws ApiError 400 naming `field` if it has too many decimals */
export function requireUnits(text: string, decimals: number, field: string): bigint {
  const units = parseUnits(text, decimals)
  if (units === null)
    throw invalidBody({ field, message: tooManyDecimals(decimals), code: 'too_many_decimals' })
  return units
}

/** The same for an amount to pay or send. @throws ApiError 400 naming `field`, also for zero */
export function requireAmount(text: string, decimals: number, field: string): bigint {
  const units = requireUnits(text, decimals, field)
  requirePositive(text, field)
  return units
}

/** @throws ApiError 400 naming `field` for zero */
export function requirePositive(text: string, field: string): void {
  if (parseDecimal(text)?.value === 0n)
    throw invalidBody({ field, message: 'must be more than zero', code: 'too_small' })
}
