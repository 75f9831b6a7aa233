import { readPricingBusiness } from '../businesses/business.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { shareBriefly } from '../platform/shareBriefly.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { ReadBanks } from './bankList.ts'
import { presentBanks } from './presentBanks.ts'
import { presentCurrencies } from './presentCurrencies.ts'
import type { PriceRates } from './priceRates.ts'
import { payable, priceRequest } from './priceRequest.ts'
import { presentQuote, signQuote } from './quote.ts'
import { streamedQuotes } from './streamedQuotes.ts'

/** Streams of a business share its terms for this long: with other streams each has a request a second. */
const termsMs = 500

export interface PricingRoutesContext {
  db: ModelDb
  log: Log
  chains: readonly ConfiguredChain[]
  rates: PriceRates
  banks: ReadBanks | null
  /** Signs quotes. */
  appKey: Secret
  quoteSeconds: number
}

/** Quotes, the currencies that have a rate, and the banks of the partner. */
export function pricingRoutes(ctx: PricingRoutesContext): Routes {
  const businesses = shareBriefly(termsMs, (id) => readPricingBusiness(ctx.db, id))
  return {
    async quoteSession({ body, caller: { businessId } }) {
      const what = await payable(ctx, businessId, body)
      const price = await priceRequest(ctx, what, body)
      const quote = {
        businessId,
        chain: what.chain.name,
        price,
        expiresAt: new Date(Date.now() + ctx.quoteSeconds * 1000),
      }
      return {
        status: 200,
        body: { quoteId: signQuote(ctx.appKey, quote), ...presentQuote(quote, what.token.decimals) },
      }
    },
    streamSessionQuote: async ({ query, caller: { businessId } }) => ({
      status: 101,
      body: {},
      quotes: streamedQuotes(ctx, businessId, query, businesses),
    }),
    listCurrencies: async () => ({
      status: 200,
      body: { currencies: presentCurrencies(await ctx.rates.all()) },
    }),
    listBanks: async ({ query }) => ({
      status: 200,
      body: presentBanks(ctx.banks && (await ctx.banks()), query),
    }),
  }
}
