import { exactText } from '../ui/exactText.ts'
import { type Language, localeOf } from './language.ts'

/** An amount of money as its reader writes it. The decimal string is formatted as it is, never as a float. */
export function moneyOf(amount: string, currency: string, language: Language): string {
  return exactText(new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }), amount)
}

/** A token's amount in groups, with all of its decimals. */
export const tokensText = (amount: string, language: Language): string =>
  exactText(new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 20 }), amount)

export const timeOf = (iso: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'medium' }).format(
    new Date(iso),
  )
