import { parseDecimal, rescale } from './amount.ts'

const scale = 6

/** A hundred percent, in the unit of `percent`. */
export const hundredPercent = 100n * 10n ** BigInt(scale)

/** A decimal percentage in millionths; excess digits are dropped. @throws Error for any other text */
export function percent(text: string): bigint {
  const decimal = parseDecimal(text)
  if (!decimal) throw new Error(`not a percentage: ${text}`)
  return rescale(decimal, scale, 'down')
}
