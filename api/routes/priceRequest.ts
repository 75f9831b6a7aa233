import { accepts, getBusiness } from '../../src/businesses/business.ts'
import type { Business } from '../../src/businesses/model.ts'
import { parseDecimal, parseUnits } from '../../src/chains/amount.ts'
import { type ConfiguredChain, type Token, tokenOf } from '../../src/chains/registry.ts'
import { invalidBody } from '../../src/platform/errors.ts'
import { currencyDecimals, type Price, priceFromAmount, priceFromLocal } from '../../src/pricing/price.ts'
import type { ApiContext } from '../context.ts'

/** The amount, chain and token of a request. */
export interface Priced {
  chain: string
  token: string
  amount?: string
  localAmount?: string
  localCurrency?: string
}

export interface Payable {
  business: Business
  chain: ConfiguredChain
  token: Token
}

/** @throws ApiError 400 naming `chain` or `token` if the deployment or the business does not take it */
export async function payable(ctx: Pick<ApiContext, 'db' | 'chains'>, businessId: string, request: Priced): Promise<Payable> {
  const chain = ctx.chains.find((each) => each.name === request.chain)
  if (!chain) throw invalidBody({ field: 'chain', message: `${request.chain} is not available on this deployment` })
  const token = tokenOf(chain, request.token)
  if (!token) throw invalidBody({ field: 'token', message: `${request.token} is not available on ${chain.name}` })
  const business = await getBusiness(ctx, businessId)
  if (!accepts(business, chain.name, token.symbol))
    throw invalidBody({ field: 'token', message: `${token.symbol} on ${chain.name} is switched off for this business` })
  return { business, chain, token }
}

/**
 * Prices exactly one of `amount` and `localAmount`.
 * @throws ApiError 400 naming the field; 503 `rates_unavailable`
 */
export async function priceRequest(ctx: Pick<ApiContext, 'rates'>, { business, token }: Payable, request: Priced): Promise<Price> {
  const { amount, localAmount } = request
  const currency = request.localCurrency ?? business.localCurrency
  if (amount !== undefined && localAmount !== undefined) {
    throw invalidBody(
      { field: 'amount', message: 'give amount or localAmount, not both' },
      { field: 'localAmount', message: 'give amount or localAmount, not both' },
    )
  }
  if (amount !== undefined) {
    const units = parseUnits(amount, token.decimals)
    if (units === null) throw invalidBody({ field: 'amount', message: `may have ${token.decimals} decimals at most` })
    if (units === 0n) throw invalidBody({ field: 'amount', message: 'must be more than zero' })
    // A currency in the request must have a rate; the business's default currency is optional here.
    const rate = currency === null ? null : request.localCurrency ? await ctx.rates.mid(currency) : await ctx.rates.midOrNull(currency)
    return priceFromAmount(token, units, rate === null || currency === null ? null : { currency, rate }, business)
  }
  if (localAmount === undefined) {
    throw invalidBody({ field: 'amount', message: 'give amount or localAmount' }, { field: 'localAmount', message: 'give amount or localAmount' })
  }
  if (currency === null) throw invalidBody({ field: 'localCurrency', message: 'is required, because the business has no default currency' })
  if (parseDecimal(localAmount)?.value === 0n) throw invalidBody({ field: 'localAmount', message: 'must be more than zero' })
  if (parseUnits(localAmount, currencyDecimals(currency)) === null) {
    throw invalidBody({ field: 'localAmount', message: `may have ${currencyDecimals(currency)} decimals at most in ${currency}` })
  }
  return priceFromLocal(token, localAmount, currency, await ctx.rates.mid(currency), business)
}
