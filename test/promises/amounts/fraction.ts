/** Exact fractions. Shares no code with the product. */
export interface Fraction {
  over: bigint
  under: bigint
}

/** From a decimal text such as `12.50`. */
export function fraction(text: string): Fraction {
  if (!/^[0-9]+(\.[0-9]+)?$/.test(text)) throw new Error(`not a decimal: ${text}`)
  const [whole = '', places = ''] = text.split('.')
  return { over: BigInt(`${whole}${places}`), under: BigInt(`1${'0'.repeat(places.length)}`) }
}

export const one: Fraction = { over: 1n, under: 1n }
export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
})
export const by = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under,
  under: a.under * b.over,
})
export const minus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under - b.over * a.under,
  under: a.under * b.under,
})
export const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
})
export const percentOf = (text: string): Fraction => by(fraction(text), fraction('100'))
export const isAbove = (a: Fraction, b: Fraction): boolean => a.over * b.under > b.over * a.under
export const isSame = (a: Fraction, b: Fraction): boolean => a.over * b.under === b.over * a.under

/**
 * The next multiple of a unit with so many decimal places that is not above; a fraction below zero is
 * refused.
 */
export function floorTo({ over, under }: Fraction, places: number): Fraction {
  if (over < 0n) throw new Error('below zero')
  const unit = BigInt(`1${'0'.repeat(places)}`)
  return { over: (over * unit) / under, under: unit }
}

/** The next multiple that is not below. */
export function ceilTo(value: Fraction, places: number): Fraction {
  const floor = floorTo(value, places)
  return isSame(floor, value) ? floor : { over: floor.over + 1n, under: floor.under }
}
