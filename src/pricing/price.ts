import type { Token } from '../chains/registry.ts'
import { divide, formatUnits, parseDecimal, parseUnits } from '../money/amount.ts'
import { currencyDecimals } from '../money/currencyDecimals.ts'
import { hundredPercent, percent } from '../money/percent.ts'
import type { MidRate } from './rates.ts'

/** The amount that a customer sends and its value; computed once and stored with the session. */
export interface Price {
  token: string
  /** Base units of the token. */
  amount: bigint
  /** In units of `localCurrency`, with at most its decimal places; null if no currency or rate is known. */
  localAmount: string | null
  localCurrency: string | null
  /** Units of `localCurrency` for one token, the partner's mid rate; null without a rate. */
  rate: string | null
  /** When the partner observed the rate, and the partner's name; null without a rate. */
  rateAt: Date | null
  rateSource: string | null
  /** Percent. */
  fxMarginPercent: string
  /** Deducted from the payout; in units of `feeCurrency`. */
  fee: string
  /** The local currency if the price has one, otherwise the token. */
  feeCurrency: string
}

export interface Terms {
  feePercent: string
  fxMarginPercent: string
}

export { currencyDecimals }

const rateOf = (text: string) => {
  const rate = parseDecimal(text)
  if (!rate || rate.value === 0n) throw new Error(`not a rate: ${text}`)
  return rate
}

/**
 * From fiat: `amount` = `localAmount` ÷ (mid rate × (1 − margin)), rounded up to the token's unit.
 * @param localAmount decimal, greater than zero, with at most the currency's decimal places
 * @param mid units of the currency for one token
 */
export function priceFromLocal(
  token: Token,
  localAmount: string,
  currency: string,
  mid: MidRate,
  terms: Terms,
): Price {
  const local = parseDecimal(localAmount)
  if (!local) throw new Error(`not an amount: ${localAmount}`)
  const rate = rateOf(mid.rate)
  const kept = hundredPercent - percent(terms.fxMarginPercent)
  // local / 10^ls / (rate / 10^rs * kept / hundred), in units of 10^-decimals
  const amount = divide(
    local.value * 10n ** BigInt(rate.scale) * hundredPercent * 10n ** BigInt(token.decimals),
    rate.value * kept * 10n ** BigInt(local.scale),
    'up',
  )
  return {
    token: token.symbol,
    amount,
    localAmount: formatUnits(local.value, local.scale),
    localCurrency: currency,
    ...originOf(mid),
    fxMarginPercent: terms.fxMarginPercent,
    ...localFee(localAmount, currency, terms),
  }
}

/**
 * From crypto: `localAmount` = `amount` × mid rate × (1 − margin), rounded down to the currency's unit.
 * @param amount base units, greater than zero
 * @param local null if no currency or rate is known: the price is then in the token only
 */
export function priceFromAmount(
  token: Token,
  amount: bigint,
  local: { currency: string; mid: MidRate } | null,
  terms: Terms,
): Price {
  if (!local) {
    return {
      token: token.symbol,
      amount,
      localAmount: null,
      localCurrency: null,
      rate: null,
      rateAt: null,
      rateSource: null,
      fxMarginPercent: terms.fxMarginPercent,
      fee: formatUnits(divide(amount * percent(terms.feePercent), hundredPercent, 'up'), token.decimals),
      feeCurrency: token.symbol,
    }
  }
  const rate = rateOf(local.mid.rate)
  const places = currencyDecimals(local.currency)
  const kept = hundredPercent - percent(terms.fxMarginPercent)
  const minor = divide(
    amount * rate.value * kept * 10n ** BigInt(places),
    10n ** BigInt(token.decimals) * 10n ** BigInt(rate.scale) * hundredPercent,
    'down',
  )
  const localAmount = formatUnits(minor, places)
  return {
    token: token.symbol,
    amount,
    localAmount,
    localCurrency: local.currency,
    ...originOf(local.mid),
    fxMarginPercent: terms.fxMarginPercent,
    ...localFee(localAmount, local.currency, terms),
  }
}

const originOf = ({ rate, at, source }: MidRate): Pick<Price, 'rate' | 'rateAt' | 'rateSource'> => ({
  rate,
  rateAt: at,
  rateSource: source,
})

/** The fee is rounded up to the currency's unit, because the payout is rounded down. */
function localFee(localAmount: string, currency: string, terms: Terms): Pick<Price, 'fee' | 'feeCurrency'> {
  const places = currencyDecimals(currency)
  const minor = parseUnits(localAmount, places)
  if (minor === null) throw new Error(`${localAmount} has more places than ${currency}`)
  return {
    fee: formatUnits(divide(minor * percent(terms.feePercent), hundredPercent, 'up'), places),
    feeCurrency: currency,
  }
}
