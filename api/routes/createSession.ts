import { parseDecimal, parseUnits, rescale } from '../../src/chains/amount.ts'
import { requireMetadata } from '../../src/monitoring/request.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { Price } from '../../src/pricing/price.ts'
import { openQuote } from '../../src/pricing/quote.ts'
import { createSession } from '../../src/sessions/createSession.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { BodyOf } from '../types.ts'
import { type Payable, payable, priceRequest } from './priceRequest.ts'

type Body = BodyOf<'createSession'>

/** POST /pos/sessions */
export function createSessionRoute(ctx: ApiContext) {
  return async ({ body, caller, remember }: ApiRequest<Body>): Promise<Answer> => {
    requireMetadata(body.metadata)
    const what = await payable(ctx, caller.businessId, body)
    const price = body.quoteId === undefined ? await priceRequest(ctx, what, body) : quotedPrice(ctx, what, { ...body, quoteId: body.quoteId })
    const session = await createSession(
      ctx,
      {
        business: what.business,
        chain: what.chain,
        price,
        expirySeconds: body.expirySeconds ?? 600,
        label: body.label ?? null,
        reference: body.reference ?? null,
        metadata: body.metadata ?? null,
      },
      (tx, view) => remember(tx, { status: 201, body: view }),
    )
    return { status: 201, body: session }
  }
}

/** The price of a quote, if the rest of the request agrees with it. */
function quotedPrice(ctx: Pick<ApiContext, 'appKey'>, { business, chain, token }: Payable, body: Body & { quoteId: string }): Price {
  const quote = openQuote(ctx.appKey, business.id, body.quoteId, new Date())
  const { price } = quote
  const differs = (field: string) =>
    new ApiError(422, 'quote_mismatch', `${field} differs from the quote`, { fields: [{ field, message: 'differs from the quote' }] })
  if (quote.chain !== chain.name) throw differs('chain')
  if (price.token !== token.symbol) throw differs('token')
  if (body.amount !== undefined && parseUnits(body.amount, token.decimals) !== price.amount) throw differs('amount')
  if (body.localAmount !== undefined && !sameDecimal(body.localAmount, price.localAmount)) throw differs('localAmount')
  if (body.localCurrency !== undefined && body.localCurrency !== price.localCurrency) throw differs('localCurrency')
  return price
}

/** Whether two decimals are equal: `5000` and `5000.00` are. */
function sameDecimal(one: string, other: string | null): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other ?? '')]
  if (!a || !b) return false
  const scale = Math.max(a.scale, b.scale)
  return rescale(a, scale, 'down') === rescale(b, scale, 'down')
}
