import { type Decimal, parseDecimal, rescale } from './amount.ts'

const scale = 6

/** A hundred percent, in the unit of `percent`. */
export const hundredPercent = 100n * 10n ** BigInt(scale)

/** A decimal percentage in millionths; excess digits are dropped. @throws Error for any other text */
export function percent(text: string): bigint {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not a percentage: ${text}`)
  return rescale(decimal, scale, 'down')
}

/** A percentage that was stored. @throws Error for another text */
export function storedPercent(text: string): Decimal {
  const percent = parseDecimal(text)
  if (!percent) throw new Error(`${text} is not a percentage`)
  return percent
}

/** The shortest text of a stored percentage: `5.50000000` is `5.5`. */
export const percentText = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
