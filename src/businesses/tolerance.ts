import { formatUnits, parseDecimal, rescale } from '../money/amount.ts'

/**
 * How much of a requested amount may be missing: a share in percent, or an amount in units of the token. It
 * has one of the two.
 */
export interface Tolerance {
  percent?: string
  amount?: string
}

/** No session is paid with less than nine tenths of what it requests, whatever its business has set. */
const maxPercent = 10n

/** @returns base units that may be missing, rounded down */
export function toleratedOf(tolerance: Tolerance | null, requested: bigint, decimals: number): bigint {
  if (tolerance === null) return 0n
  const max = (requested * maxPercent) / 100n
  const { amount, percent } = tolerance
  if (amount !== undefined) return smallerOf(rescale(decimalOf(amount), decimals, 'down'), max)
  const { value, scale } = decimalOf(percent ?? '0')
  return smallerOf((requested * value) / (100n * 10n ** BigInt(scale)), max)
}

/** As the columns of a business have it; null where nothing may be missing. */
export function storedTolerance(stored: {
  tolerancePercent: string | null
  toleranceAmount: string | null
}): Tolerance | null {
  const { tolerancePercent: percent, toleranceAmount: amount } = stored
  if (percent !== null) return isZero(percent) ? null : { percent: plain(percent) }
  return amount === null || isZero(amount) ? null : { amount: plain(amount) }
}

export const columnsOf = (tolerance: Tolerance | null) => ({
  tolerancePercent: tolerance?.percent ?? null,
  toleranceAmount: tolerance?.amount ?? null,
})

const isZero = (decimal: string): boolean => decimalOf(decimal).value === 0n

function plain(decimal: string): string {
  const { value, scale } = decimalOf(decimal)
  return formatUnits(value, scale)
}

function decimalOf(text: string): { value: bigint; scale: number } {
  const decimal = parseDecimal(text)
  if (decimal === null) throw new Error(`not a decimal: ${text}`)
  return decimal
}

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)
