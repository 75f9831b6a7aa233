import type { PricingBusiness } from '../businesses/business.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { ApiError, fieldMistakes, invalidParameters } from '../platform/errors.ts'
import type { QuoteSource } from '../platform/quoteSource.ts'
import type { Secret } from '../platform/secrets.ts'
import { type Priced, payableBy, priceRequest } from './priceRequest.ts'
import { presentQuote, signQuote } from './quote.ts'
import type { Rates } from './rates.ts'

interface StreamedQuotesContext {
  chains: readonly ConfiguredChain[]
  rates: Rates
  appKey: Secret
  quoteSeconds: number
}

/**
 * Quotes of a session for a stream. A quote is signed only when it is sent, and renewed at half of its life.
 */
export function streamedQuotes(
  ctx: StreamedQuotesContext,
  businessId: string,
  request: Priced,
  readBusiness: (id: string) => Promise<PricingBusiness>,
): QuoteSource {
  const { chain, token, amount, localAmount, localCurrency } = request
  const priced = async () => {
    const what = await payableBy(ctx, () => readBusiness(businessId), request)
    return [what, await priceRequest(ctx, what, request)] as const
  }
  return {
    key: JSON.stringify([
      businessId,
      chain,
      token,
      amount ?? null,
      localAmount ?? null,
      localCurrency ?? null,
    ]),
    async request() {
      const [what, price] = await priced().catch(inParameters)
      const now = Date.now()
      return {
        version: JSON.stringify({ ...price, amount: price.amount.toString() }),
        renewAt: now + ctx.quoteSeconds * 500,
        present() {
          const quote = {
            businessId,
            chain: what.chain.name,
            price,
            expiresAt: new Date(now + ctx.quoteSeconds * 1000),
          }
          return { quoteId: signQuote(ctx.appKey, quote), ...presentQuote(quote, what.token.decimals) }
        },
      }
    },
  }
}

/** Fields of the body are parameters here. */
function inParameters(error: unknown): never {
  throw error instanceof ApiError && error.status === 400 ? invalidParameters(...fieldMistakes(error)) : error
}
