import { formatUnits } from '../../src/chains/amount.ts'
import { signQuote } from '../../src/pricing/quote.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { BodyOf } from '../types.ts'
import { payable, priceRequest } from './priceRequest.ts'

/** POST /pos/sessions/quote */
export function quoteSessionRoute(ctx: ApiContext) {
  return async ({ body, caller }: ApiRequest<BodyOf<'quoteSession'>>): Promise<Answer> => {
    const what = await payable(ctx, caller.businessId, body)
    const price = await priceRequest(ctx, what, body)
    const expiresAt = new Date(Date.now() + ctx.quoteSeconds * 1000)
    return {
      status: 200,
      body: {
        quoteId: signQuote(ctx.appKey, { businessId: caller.businessId, chain: what.chain.name, price, expiresAt }),
        chain: what.chain.name,
        token: price.token,
        amount: formatUnits(price.amount, what.token.decimals),
        localAmount: price.localAmount,
        localCurrency: price.localCurrency,
        rate: price.rate,
        fee: price.fee,
        feeCurrency: price.feeCurrency,
        fxMargin: price.fxMarginPercent.replace(/\.?0+$/, ''),
        expiresAt: expiresAt.toISOString(),
      },
    }
  }
}
