import { requireWithinLimits } from '../businesses/amountLimits.ts'
import { parseDecimal, parseUnits, rescale } from '../money/amount.ts'
import { ApiError } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Price } from './price.ts'
import type { Payable, Priced } from './priceRequest.ts'
import { openQuote } from './quote.ts'

/**
 * The price of a quote, if the request agrees with it.
 * @throws ApiError 422 `quote_mismatch` naming the field; 400 naming `quoteId`, outside the business's limits
 */
export function quotedPrice(
  ctx: { appKey: Secret },
  what: Payable,
  request: Omit<Priced, 'chain' | 'token'> & { quoteId: string },
): Price {
  const { business, chain, token } = what
  const quote = openQuote(ctx.appKey, business.id, request.quoteId, new Date())
  const { price } = quote
  const { amount, localAmount, localCurrency } = request
  if (quote.chain !== chain.name) throw differs('chain')
  if (price.token !== token.symbol) throw differs('token')
  if (amount !== undefined && parseUnits(amount, token.decimals) !== price.amount) throw differs('amount')
  if (localAmount !== undefined && !sameDecimal(localAmount, price.localAmount)) throw differs('localAmount')
  if (localCurrency !== undefined && localCurrency !== price.localCurrency) throw differs('localCurrency')
  // The limits may have changed since the quote.
  requireWithinLimits(what, price.amount, 'quoteId')
  return price
}

const differs = (field: string): ApiError =>
  new ApiError(422, 'quote_mismatch', `${field} differs from the quote`, {
    fields: [{ field, message: 'differs from the quote' }],
  })

/** Whether two decimals are equal: `5000` and `5000.00` are. */
function sameDecimal(one: string, other: string | null): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other ?? '')]
  if (!a || !b) return false
  const scale = Math.max(a.scale, b.scale)
  return rescale(a, scale, 'down') === rescale(b, scale, 'down')
}
