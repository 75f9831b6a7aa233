import { exactText } from '../ui/exactText.ts'

/** An amount of money as its reader writes it, with the code: a till may take several currencies. */
export const currencyAmount = (amount: string, currency: string): string =>
  exactText(
    new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'code' }),
    amount,
  )

/** The same of a total, which may be in a token: Intl knows currencies of three letters. */
export const totalAmount = (amount: string, currency: string): string =>
  currency.length === 3 ? currencyAmount(amount, currency) : `${amount} ${currency}`
