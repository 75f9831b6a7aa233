import { exactText } from './exactText.ts'

/**
 * An amount of a currency with its code, `25,000.00 NGN`, as amounts of tokens are written; exact at any size.
 * ISO 4217 decides on its decimal places.
 */
export function moneyText(amount: string, currency: string): string {
  const { minimumFractionDigits, maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const format = new Intl.NumberFormat(undefined, { minimumFractionDigits, maximumFractionDigits })
  return `${exactText(format, amount)}\u00a0${currency}`
}

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <span className="money">{moneyText(amount, currency)}</span>
}
