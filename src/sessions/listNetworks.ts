import { accepts, getBusiness } from '../businesses/business.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { notFound } from '../platform/errors.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { type ChainProgress, delayedSince, readProgress } from './chainProgress.ts'

interface NetworksContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
}

/** All networks and tokens of the deployment. */
export async function listAllNetworks(ctx: NetworksContext) {
  const progress = await readProgress(ctx.db)
  return ctx.chains.map((chain) => networkOf(chain, progress, () => true))
}

/**
 * The networks and tokens that a business accepts.
 * @param named the business that the caller asks about: only its own
 * @throws ApiError 404
 */
export async function listNetworks(ctx: NetworksContext, businessId: string, named: string = businessId) {
  if (named !== businessId) throw notFound('Business')
  const business = await getBusiness(ctx, businessId)
  const progress = await readProgress(ctx.db)
  const networks = ctx.chains.map((chain) => networkOf(chain, progress, (symbol) => accepts(business, chain.name, symbol)))
  return networks.filter(({ tokens }) => tokens.length > 0)
}

const networkOf = (chain: ConfiguredChain, progress: ChainProgress, isTaken: (symbol: string) => boolean) => ({
  chain: chain.name,
  tokens: chain.tokens.map((token) => token.symbol).filter(isTaken),
  ready: progress.has(chain.name),
  delayedSince: delayedSince(progress, chain),
})
