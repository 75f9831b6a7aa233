import { type Language, localeOf } from './language.ts'

/** An amount of money as its reader writes it. The decimal string is formatted as it is, never as a float. */
export function moneyOf(amount: string, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency })
  return format.format(amount as `${number}`)
}

/**
 * A token's amount in groups, with all of its decimals. Digit by digit: older browsers make a float of a string.
 */
export function tokensText(amount: string, language: Language): string {
  const format = new Intl.NumberFormat(localeOf(language))
  const [whole = '0', fraction = ''] = amount.split('.')
  const kept = fraction.replace(/0+$/, '')
  const units = format.format(BigInt(whole))
  if (kept === '') return units
  const point = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return `${units}${point}${kept}`
}

export const timeOf = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(iso),
  )
