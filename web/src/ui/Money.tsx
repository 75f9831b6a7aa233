import { exactText } from './exactText.ts'

/**
 * A decimal of a currency in the reader's format, exact at any size. ISO 4217 decides on its decimal places
 * where all of them are zero.
 */
export function moneyText(amount: string, currency: string, options: Intl.NumberFormatOptions = {}): string {
  return exactText(new Intl.NumberFormat(undefined, { style: 'currency', currency, ...options }), amount)
}

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <span className="money">{moneyText(amount, currency)}</span>
}
