import { parseDecimal } from '../money/amount.ts'
import type { Percent } from './rewards.ts'

/** A percentage that was stored. @throws Error for another text */
export function storedPercent(text: string): Percent {
  const percent = parseDecimal(text)
  if (!percent) throw new Error(`${text} is not a percentage`)
  return percent
}

/** The shortest text of a stored percentage: `5.50000000` is `5.5`. */
export const percentText = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
