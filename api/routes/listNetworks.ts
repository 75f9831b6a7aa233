import { accepts, getBusiness } from '../../src/accounts/business.ts'
import { notFound } from '../../src/platform/errors.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { QueryOf } from '../types.ts'

/** GET /pos/sessions/networks/all: what the deployment can receive. */
export function listAllNetworksRoute(ctx: ApiContext) {
  return async (_request: ApiRequest): Promise<Answer> => ({
    status: 200,
    body: { networks: ctx.chains.map((chain) => ({ chain: chain.name, tokens: chain.tokens.map((token) => token.symbol) })) },
  })
}

/** GET /pos/sessions/networks: of these, what the business takes. */
export function listNetworksRoute(ctx: ApiContext) {
  return async ({ query, caller }: ApiRequest<unknown, QueryOf<'listNetworks'>>): Promise<Answer> => {
    if (query.businessId !== undefined && query.businessId !== caller.businessId) throw notFound('Business')
    const business = await getBusiness(ctx, caller.businessId)
    const networks = ctx.chains.map((chain) => ({
      chain: chain.name,
      tokens: chain.tokens.map((token) => token.symbol).filter((symbol) => accepts(business, chain.name, symbol)),
    }))
    return { status: 200, body: { networks: networks.filter(({ tokens }) => tokens.length > 0) } }
  }
}
