import { divide, formatUnits, parseDecimal, rescale } from '../money/amount.ts'
import { hundredPercent, percent } from '../money/percent.ts'
import { currencyDecimals } from '../pricing/price.ts'

/**
 * The parts of an amount that is paid out, in base units of the token that it is taken in. What is left of
 * the amount is what reaches the destination.
 */
export interface Split {
  fee: bigint
  margin: bigint
  /** Less than one unit of what the destination gets. */
  rounding: bigint
}

/**
 * An amount that goes to a wallet. It pays no margin: nothing is exchanged. The fee is rounded up, what the
 * wallet gets down.
 * @param decimals of the token that is taken, and of the one that the wallet gets
 * @param terms the fee in percent, or what a session promised in the token
 * @returns null if nothing would be left
 */
export function splitForWallet(
  amount: bigint,
  decimals: { from: number; to: number },
  terms: { feePercent: string } | { promised: PromisedFee },
): (Split & { received: bigint }) | null {
  const fee =
    'promised' in terms
      ? shareOfFee(terms.promised, amount, decimals.from)
      : divide(amount * percent(terms.feePercent), hundredPercent, 'up')
  const rest = { value: amount - fee, scale: decimals.from }
  if (rest.value <= 0n) return null
  const received = rescale(rest, decimals.to, 'down')
  if (received === 0n) return null
  return {
    fee,
    margin: 0n,
    rounding: rest.value - rescale({ value: received, scale: decimals.to }, decimals.from, 'down'),
    received,
  }
}

/**
 * The fee of a session, in units of its currency or token, which was promised for `of` base units of the
 * token.
 */
export interface PromisedFee {
  local: string
  of: bigint
}

/** What was promised for an amount of a token. */
export interface BankTerms {
  /** Units of the currency for one token: the mid rate. */
  rate: string
  currency: string
  fxMarginPercent: string
  fee: { percent: string } | PromisedFee
}

/**
 * An amount that goes to a bank: `amount` × rate × (1 − margin), less the fee. The local amount before the
 * fee is rounded down to the currency's unit, the fee up, and what the bank gets down to whole units (the
 * partner takes no others). In the token, margin and fee are rounded down, and what the bank gets too; what
 * all roundings leave is `rounding`.
 * @returns null if nothing would be left
 */
export function splitForBank(
  amount: bigint,
  decimals: number,
  { rate, currency, fxMarginPercent, fee: promised }: BankTerms,
): (Split & { localAmount: bigint; localFee: string }) | null {
  const mid = parseDecimal(rate)
  if (!mid || mid.value === 0n) throw new Error(`not a rate: ${rate}`)
  const places = currencyDecimals(currency)
  const minor = 10n ** BigInt(places)
  const margin = percent(fxMarginPercent)
  // Units of the token for one minor unit of the currency are tokens / perMinor.
  const [tokens, perMinor] = [10n ** BigInt(decimals) * 10n ** BigInt(mid.scale), mid.value * minor]
  const gross = divide(amount * perMinor * (hundredPercent - margin), tokens * hundredPercent, 'down')
  const localFee =
    'percent' in promised
      ? divide(gross * percent(promised.percent), hundredPercent, 'up')
      : shareOfFee(promised, amount, places)
  const localAmount = (gross - localFee) / minor
  if (gross <= localFee || localAmount <= 0n) return null
  const inToken = (local: bigint) => divide(local * tokens, perMinor, 'down')
  const parts = { fee: inToken(localFee), margin: divide(amount * margin, hundredPercent, 'down') }
  const principal = inToken(localAmount * minor)
  // Where one whole unit of the currency is worth less than the smallest unit of the token.
  if (principal === 0n) return null
  const rounding = amount - parts.fee - parts.margin - principal
  return { ...parts, rounding, localAmount, localFee: formatUnits(localFee, places) }
}

/** A session's fee for more or less than the requested amount. */
function shareOfFee({ local, of }: PromisedFee, amount: bigint, places: number): bigint {
  const fee = parseDecimal(local)
  if (!fee) throw new Error(`not a fee: ${local}`)
  return divide(rescale(fee, places, 'up') * amount, of, 'up')
}
