import { currencyDecimals } from '../money/currencyDecimals.ts'
import type { CurrencyRate } from './priceRates.ts'

/** Currencies with their rates, named as in a quote. */
export const presentCurrencies = (rates: readonly CurrencyRate[]) =>
  rates.map(({ currency, rate, at, source }) => ({
    currency,
    decimals: currencyDecimals(currency),
    rate,
    rateAt: at.toISOString(),
    rateSource: source,
  }))
