/**
 * A decimal of a currency in the reader's format, exact at any size. ISO 4217 decides on its decimal places
 * where all of them are zero.
 */
export function moneyText(amount: string, currency: string, options: Intl.NumberFormatOptions = {}): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, ...options })
  return format.format(amount as Intl.StringNumericLiteral)
}

export function Money({ amount, currency }: { amount: string; currency: string }) {
  return <span className="money">{moneyText(amount, currency)}</span>
}
