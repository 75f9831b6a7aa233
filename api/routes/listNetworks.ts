import { accepts, getBusiness } from '../../src/businesses/business.ts'
import type { ConfiguredChain } from '../../src/chains/registry.ts'
import { notFound } from '../../src/platform/errors.ts'
import { type ChainProgress, delayedSince, readProgress } from '../../src/sessions/chainProgress.ts'
import type { Answer, ApiContext, ApiRequest } from '../context.ts'
import type { QueryOf } from '../types.ts'

/** GET /pos/sessions/networks/all: all networks and tokens of the deployment. */
export function listAllNetworksRoute(ctx: ApiContext) {
  return async (_request: ApiRequest): Promise<Answer> => {
    const progress = await readProgress(ctx.db)
    return { status: 200, body: { networks: ctx.chains.map((chain) => networkOf(chain, progress, () => true)) } }
  }
}

/** GET /pos/sessions/networks: those that the business accepts. */
export function listNetworksRoute(ctx: ApiContext) {
  return async ({ query, caller }: ApiRequest<unknown, QueryOf<'listNetworks'>>): Promise<Answer> => {
    if (query.businessId !== undefined && query.businessId !== caller.businessId) throw notFound('Business')
    const business = await getBusiness(ctx, caller.businessId)
    const progress = await readProgress(ctx.db)
    const networks = ctx.chains.map((chain) => networkOf(chain, progress, (symbol) => accepts(business, chain.name, symbol)))
    return { status: 200, body: { networks: networks.filter(({ tokens }) => tokens.length > 0) } }
  }
}

const networkOf = (chain: ConfiguredChain, progress: ChainProgress, isTaken: (symbol: string) => boolean) => ({
  chain: chain.name,
  tokens: chain.tokens.map((token) => token.symbol).filter(isTaken),
  ready: progress.has(chain.name),
  delayedSince: delayedSince(progress, chain),
})
