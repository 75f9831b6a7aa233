/**
 * A decimal by a format, in groups, digit by digit: older browsers make a float of a string. Decimals beyond those
 * of the format are rounded, half away from zero. Not for compact or scientific formats.
 */
export function exactText(format: Intl.NumberFormat, decimal: string): string {
  const { maximumFractionDigits: max = 0, minimumFractionDigits: min = 0 } = format.resolvedOptions()
  const isNegative = decimal.startsWith('-')
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.')
  const kept = BigInt(`${whole}${fraction.slice(0, max).padEnd(max, '0')}`)
  const digits = `${kept + (Number(fraction[max] ?? 0) >= 5 ? 1n : 0n)}`.padStart(max + 1, '0')
  const units = BigInt(digits.slice(0, digits.length - max))
  const places = digits
    .slice(digits.length - max)
    .replace(/0+$/, '')
    .padEnd(min, '0')
  if (isNegative && units === 0n) return belowOne(format, places)
  return withPlaces(format, format.formatToParts(isNegative ? -units : units), places)
}

/** Of a negative amount: one unit stands for the sign and its place, because no integer is minus zero. */
function belowOne(format: Intl.NumberFormat, places: string): string {
  if (!/[1-9]/.test(places)) return withPlaces(format, format.formatToParts(0n), places)
  const zero = format.formatToParts(0n).find(({ type }) => type === 'integer')
  const parts = format.formatToParts(-1n).map((part) => (part.type === 'integer' && zero ? zero : part))
  return withPlaces(format, parts, places)
}

/** @param places the decimals, in place of those of the parts */
function withPlaces(
  format: Intl.NumberFormat,
  parts: readonly Intl.NumberFormatPart[],
  places: string,
): string {
  const last = parts.map(({ type }) => type).lastIndexOf('integer')
  return parts
    .map(({ type, value }, at) => {
      if (type === 'decimal' || type === 'fraction') return ''
      return at === last && places !== '' ? `${value}${pointOf(format)}${inDigits(format, places)}` : value
    })
    .join('')
}

/** The format's decimal point. */
const pointOf = (format: Intl.NumberFormat): string =>
  format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** In the digits that the format's language uses. */
function inDigits(format: Intl.NumberFormat, text: string): string {
  const { locale, numberingSystem } = format.resolvedOptions()
  const one = new Intl.NumberFormat(locale, { numberingSystem })
  return text.replace(/\d/g, (digit) => one.format(Number(digit)))
}
