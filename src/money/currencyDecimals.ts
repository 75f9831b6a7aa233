import { currencies } from './currencies.ts'

/**
 * Decimal places of a currency: usually 2; 0 for XOF, 3 for KWD. By ISO 4217: Intl follows common usage
 * instead, and has no cents for COP or IDR.
 */
export const currencyDecimals = (currency: string): number => currencies.get(currency) ?? 2
