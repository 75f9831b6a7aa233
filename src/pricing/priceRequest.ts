import { requireWithinLimits } from '../businesses/amountLimits.ts'
import { accepts, type PricingBusiness, readPricingBusiness } from '../businesses/business.ts'
import type { ConfiguredChain, Token } from '../chains/registry.ts'
import { requireAmount, requirePositive, tooManyDecimals } from '../chains/requireAmount.ts'
import { requireChain, requireToken } from '../chains/requireChain.ts'
import { parseUnits } from '../money/amount.ts'
import type { Db } from '../platform/database/db.ts'
import { invalidBody } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
import { currencyDecimals, type Price, priceFromAmount, priceFromLocal } from './price.ts'
import type { Rates } from './rates.ts'

/** The amount, chain and token of a request. */
export interface Priced {
  chain: string
  token: string
  amount?: string
  localAmount?: string
  localCurrency?: string
}

export interface Payable {
  business: PricingBusiness
  chain: ConfiguredChain
  token: Token
}

/** @throws ApiError 400 naming `chain` or `token` if the deployment or the business does not take it */
export const payable = (
  ctx: { db: Db; chains: readonly ConfiguredChain[] },
  businessId: string,
  request: Priced,
): Promise<Payable> => payableBy(ctx, () => readPricingBusiness(ctx.db, businessId), request)

/** The same, with another way to read the business. */
export async function payableBy(
  ctx: { chains: readonly ConfiguredChain[] },
  readBusiness: () => Promise<PricingBusiness>,
  request: Priced,
): Promise<Payable> {
  const chain = requireChain(ctx, request.chain)
  const token = requireToken(chain, request.token)
  const business = await readBusiness()
  if (!accepts(business, chain.name, token.symbol))
    throw invalidBody({
      field: 'token',
      message: `${token.symbol} on ${chain.name} is switched off for this business`,
      code: 'unavailable_token',
    })
  return { business, chain, token }
}

/**
 * Prices exactly one of `amount` and `localAmount`, within what the business and the chain allow.
 * @param field of the request that decides the amount; default: which of the two it has
 * @throws ApiError 400 naming the field; 503 `rates_unavailable`, `rate_too_old`
 */
export async function priceRequest(
  ctx: { rates: Rates },
  what: Payable,
  request: Priced,
  field = request.amount === undefined ? 'localAmount' : 'amount',
): Promise<Price> {
  const price = await priceOf(ctx, what, request)
  requireWithinLimits(what, price.amount, field)
  return price
}

/** The same for any amount. @throws ApiError 400 naming the field; 503 `rates_unavailable` */
export async function priceOf(
  ctx: { rates: Rates },
  { business, token }: Payable,
  request: Priced,
): Promise<Price> {
  const { amount, localAmount } = request
  const currency = request.localCurrency ?? business.localCurrency
  requireOneAmount(request)
  if (amount !== undefined) {
    const units = requireAmount(amount, token.decimals, 'amount')
    // A currency in the request must have a rate; the business's default currency is optional here.
    const mid = request.localCurrency
      ? await ctx.rates.mid(request.localCurrency)
      : await (currency && ctx.rates.midOrNull(currency))
    return priceFromAmount(token, units, mid && currency ? { currency, mid } : null, business)
  }
  if (localAmount === undefined) throw invalidBody(...ofBoth('required', 'give amount or localAmount'))
  if (currency === null)
    throw invalidBody({
      field: 'localCurrency',
      message: 'is required, because the business has no default currency',
      code: 'required',
    })
  requireLocalAmount(localAmount, currency)
  return priceFromLocal(token, localAmount, currency, await ctx.rates.mid(currency), business)
}

/** @throws ApiError 400 naming `amount` and `localAmount`, unless exactly one of them is given */
export function requireOneAmount({ amount, localAmount }: { amount?: unknown; localAmount?: unknown }): void {
  const given = [amount, localAmount].filter((each) => each !== undefined).length
  if (given > 1) throw invalidBody(...ofBoth('not_both', 'give amount or localAmount, not both'))
  if (given === 0) throw invalidBody(...ofBoth('required', 'give amount or localAmount'))
}

const ofBoth = (code: FieldCode, message: string) =>
  ['amount', 'localAmount'].map((field) => ({ field, message, code }))

/** @throws ApiError 400 naming `localAmount` */
function requireLocalAmount(localAmount: string, currency: string): void {
  const field = 'localAmount'
  const decimals = currencyDecimals(currency)
  requirePositive(localAmount, field)
  if (parseUnits(localAmount, decimals) === null)
    throw invalidBody({
      field,
      message: `${tooManyDecimals(decimals)} in ${currency}`,
      code: 'too_many_decimals',
    })
}
