import {
  by,
  ceilTo,
  type Fraction,
  floorTo,
  fraction,
  isAbove,
  isSame,
  minus,
  one,
  percentOf,
  plus,
  times,
} from './fraction.ts'

/**
 * Quotes and payouts, computed again from what they show, by the rules of docs/sessions.md and
 * docs/payouts.md. Shares no code with the product. Each function answers what is wrong.
 */

const zero = fraction('0')

/** Decimal places of the currencies of these tests: list one of ISO 4217. */
export const places: Record<string, number> = { NGN: 2, KES: 2, XOF: 0, UGX: 0, KWD: 3, TND: 3, CLF: 4 }

export interface ShownQuote {
  amount: string
  localAmount: string | null
  localCurrency: string | null
  rate: string | null
  fee: string
  feeCurrency: string
  fxMargin: string
}

const wrongIf = (wrong: boolean, what: string): string[] => (wrong ? [what] : [])

/** @param asked what the request gave; the other one follows from it */
export function wrongInQuote(
  quote: ShownQuote,
  asked: { amount: string } | { localAmount: string },
  { tokenPlaces, feePercent }: { tokenPlaces: number; feePercent: string },
): string[] {
  const { amount, localAmount, localCurrency, rate, fee, fxMargin } = quote
  if (localAmount === null || localCurrency === null || rate === null)
    return wrongIf(
      !isSame(fraction(fee), ceilTo(times(fraction(amount), percentOf(feePercent)), tokenPlaces)),
      'fee in the token',
    )
  const unit = places[localCurrency] ?? 2
  const paid = times(fraction(rate), minus(one, percentOf(fxMargin)))
  const followed =
    'amount' in asked
      ? isSame(fraction(amount), fraction(asked.amount)) &&
        isSame(fraction(localAmount), floorTo(times(fraction(amount), paid), unit))
      : isSame(fraction(localAmount), fraction(asked.localAmount)) &&
        isSame(fraction(amount), ceilTo(by(fraction(localAmount), paid), tokenPlaces))
  return [
    ...wrongIf(!followed, 'amount or localAmount'),
    ...wrongIf(
      !isSame(fraction(fee), ceilTo(times(fraction(localAmount), percentOf(feePercent)), unit)),
      'fee',
    ),
  ]
}

export interface ShownPayout {
  amount: string
  /** In the token that is taken. */
  parts: { fee: string; margin: string; rounding: string; principal: string }
  fee: string
  feeCurrency: string
  rate: string | null
  receiveAmount: string
  receiveCurrency: string
}

const partsOf = ({ parts }: ShownPayout): Fraction =>
  plus(
    plus(fraction(parts.fee), fraction(parts.margin)),
    plus(fraction(parts.rounding), fraction(parts.principal)),
  )

/**
 * A payout to a wallet: the fee comes off, rounded up; the wallet gets what it can hold of the rest.
 * @param fee in percent, or what was promised for an amount of the token
 */
export function wrongInWalletPayout(
  payout: ShownPayout,
  {
    from,
    to,
    fee: terms,
  }: { from: number; to: number; fee: { percent: string } | { promised: string; of: string } },
): string[] {
  const { amount, parts, fee, receiveAmount } = payout
  const share =
    'percent' in terms ? percentOf(terms.percent) : by(fraction(terms.promised), fraction(terms.of))
  const due = ceilTo(times(fraction(amount), share), from)
  const rest = minus(fraction(amount), due)
  return [
    ...wrongIf(!isSame(fraction(fee), due) || !isSame(fraction(parts.fee), due), 'fee'),
    ...wrongIf(!isSame(fraction(receiveAmount), floorTo(rest, to)), 'receiveAmount'),
    ...wrongIf(!isSame(fraction(parts.principal), fraction(receiveAmount)), 'principal'),
    ...wrongIf(!isSame(fraction(parts.margin), zero), 'margin'),
    ...wrongIf(!isSame(partsOf(payout), fraction(amount)), 'the sum of the parts'),
    ...wrongIf(isAbove(fraction(receiveAmount), fraction(amount)), 'more than the amount'),
  ]
}

/** @param fee in percent, or what was promised for an amount of the token */
export function wrongInBankPayout(
  payout: ShownPayout,
  {
    fxMargin,
    fee,
    tokenPlaces,
  }: { fxMargin: string; fee: { percent: string } | { promised: string; of: string }; tokenPlaces: number },
): string[] {
  const { amount, parts, rate, receiveAmount, receiveCurrency } = payout
  if (rate === null) return ['no rate']
  const unit = places[receiveCurrency] ?? 2
  const mid = fraction(rate)
  const gross = floorTo(times(fraction(amount), times(mid, minus(one, percentOf(fxMargin)))), unit)
  const share =
    'percent' in fee
      ? times(gross, percentOf(fee.percent))
      : times(ceilTo(fraction(fee.promised), unit), by(fraction(amount), fraction(fee.of)))
  const due = ceilTo(share, unit)
  const received = fraction(receiveAmount)
  const inToken = (local: Fraction) => floorTo(by(local, mid), tokenPlaces)
  return [
    ...wrongIf(!isSame(fraction(payout.fee), due), 'fee'),
    ...wrongIf(!isSame(received, floorTo(minus(gross, due), 0)), 'receiveAmount'),
    ...wrongIf(!isSame(fraction(parts.fee), inToken(due)), 'fee in the token'),
    ...wrongIf(
      !isSame(fraction(parts.margin), floorTo(times(fraction(amount), percentOf(fxMargin)), tokenPlaces)),
      'margin',
    ),
    ...wrongIf(!isSame(fraction(parts.principal), inToken(received)), 'principal'),
    ...wrongIf(!isSame(partsOf(payout), fraction(amount)), 'the sum of the parts'),
    ...wrongIf(
      isAbove(plus(received, due), times(fraction(amount), times(mid, minus(one, percentOf(fxMargin))))),
      'more than the amount is worth',
    ),
  ]
}
