import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { createBanks } from './banks.ts'
import { payable, priceRequest } from './priceRequest.ts'
import { presentQuote, signQuote } from './quote.ts'
import type { RatePartner, Rates } from './rates.ts'

export interface PricingRoutesContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  rates: Rates
  partner: Pick<RatePartner, 'banks'>
  /** Signs quotes. */
  appKey: Secret
  quoteSeconds: number
}

/** Quotes, and the banks of the partner. */
export function pricingRoutes(ctx: PricingRoutesContext): Routes {
  const listBanks = createBanks(ctx)
  return {
    async quoteSession({ body, caller: { businessId } }) {
      const what = await payable(ctx, businessId, body)
      const price = await priceRequest(ctx, what, body)
      const quote = { businessId, chain: what.chain.name, price, expiresAt: new Date(Date.now() + ctx.quoteSeconds * 1000) }
      return { status: 200, body: { quoteId: signQuote(ctx.appKey, quote), ...presentQuote(quote, what.token.decimals) } }
    },
    listBanks: async ({ query }) => ({ status: 200, body: { banks: await listBanks(query) } }),
  }
}
