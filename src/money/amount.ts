/** Exact amounts: inside the program a `bigint` in base units, in the API a decimal string. */

const decimalForm = /^(0|[1-9]\d*)(?:\.(\d+))?$/

/** A decimal number as digits and a scale: `value / 10^scale`. */
export interface Decimal {
  value: bigint
  scale: number
}

/**
 * Parses a decimal string such as `12.50`. No sign, exponent, leading zeros, spaces or group marks.
 * @returns null for any other text
 */
export function parseDecimal(text: string): Decimal | null {
  const match = decimalForm.exec(text)
  if (!match) return null
  const fraction = match[2] ?? ''
  return { value: BigInt((match[1] ?? '') + fraction), scale: fraction.length }
}

/**
 * Converts a decimal string to base units of `decimals` places. Zeros after those places are allowed:
 * `1000.00` is 1000 of a currency without a smaller unit.
 * @returns null if the text is not a decimal, or is not a whole number of units
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const decimal = parseDecimal(text)
  if (!decimal) return null
  const units = rescale(decimal, decimals, 'down')
  return rescale(decimal, decimals, 'up') === units ? units : null
}

/** Base units as the shortest decimal string: `1500000n` with 6 decimals is `1.5`. */
export function formatUnits(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction ? `${whole}.${fraction}` : whole)
}

export type Rounding = 'up' | 'down'

/** `numerator / denominator` in whole units; numerator at least 0, denominator above 0. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator
  return rounding === 'up' && quotient * denominator !== numerator ? quotient + 1n : quotient
}

/** A decimal at another scale; excess digits are rounded. */
export function rescale(decimal: Decimal, scale: number, rounding: Rounding): bigint {
  return scale >= decimal.scale
    ? decimal.value * 10n ** BigInt(scale - decimal.scale)
    : divide(decimal.value, 10n ** BigInt(decimal.scale - scale), rounding)
}

/** Finer than every token and currency: amounts of both are compared in it. */
export const finestDecimals = 18

/** A checked amount in units of 10^-decimals. @throws where the text is no decimal */
export function unitsOf(text: string, decimals: number, rounding: Rounding): bigint {
  const decimal = parseDecimal(text)
  if (decimal === null) throw new Error(`not an amount: ${text}`)
  return rescale(decimal, decimals, rounding)
}

/** True if an exact decimal is this whole amount: `50`, or `50.00`. */
export function isWholeAmount(text: string | null, amount: bigint): boolean {
  const decimal = text === null ? null : parseDecimal(text)
  return decimal !== null && decimal.value === amount * 10n ** BigInt(decimal.scale)
}

/** Base units of all of them. */
export const sumOf = (all: readonly { amount: bigint }[]): bigint =>
  all.reduce((sum, { amount }) => sum + amount, 0n)

/** Dollars in the books have this many decimals. */
export const dollarDecimals = 6
