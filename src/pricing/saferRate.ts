import { parseDecimal, rescale } from '../money/amount.ts'

/** Of two rates of one currency, the lower one: a price in the currency then asks for more tokens. */
export function lowerOf<R extends { rate: string }>(one: R, other: R): R {
  const [a, b] = alike(one.rate, other.rate)
  return b < a ? other : one
}

/** Whether two rates differ by more than this share of the lower one. */
export function differsBy(one: string, other: string, percent: number): boolean {
  const [a, b] = alike(one, other)
  const [lower, higher] = a < b ? [a, b] : [b, a]
  return (higher - lower) * 100n > BigInt(percent) * lower
}

/** The difference of two rates in percent of the lower one; approximate. */
export function differencePercent(one: string, other: string): number {
  const [a, b] = alike(one, other)
  const [lower, higher] = a < b ? [a, b] : [b, a]
  return Number(((higher - lower) * 1_000_000n) / lower) / 10_000
}

function alike(one: string, other: string): [bigint, bigint] {
  const [a, b] = [parseDecimal(one), parseDecimal(other)]
  if (!a?.value || !b?.value) throw new Error(`not a rate: ${one}, ${other}`)
  const scale = Math.max(a.scale, b.scale)
  return [rescale(a, scale, 'down'), rescale(b, scale, 'down')]
}
