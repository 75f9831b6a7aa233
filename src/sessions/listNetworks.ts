import { accepts, getBusiness } from '../businesses/business.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { autosweptAssets, keyOf } from '../sweeps/autosweep.ts'
import { collectionOn } from '../sweeps/collection.ts'
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

/** The networks and tokens that a business accepts, without those that it has autosweep on for and that cannot be swept. */
export async function listNetworks(ctx: NetworksContext, businessId: string) {
  const business = await getBusiness(ctx, businessId)
  const [autoswept, progress] = [await autosweptAssets(ctx.db, businessId), await readProgress(ctx.db)]
  const isStuck = (chain: ConfiguredChain, symbol: string) => autoswept.has(keyOf(chain.name, symbol)) && collectionOn(chain) === 'none'
  const networks = ctx.chains.map((chain) => networkOf(chain, progress, (symbol) => accepts(business, chain.name, symbol) && !isStuck(chain, symbol)))
  return networks.filter(({ tokens }) => tokens.length > 0)
}

const networkOf = (chain: ConfiguredChain, progress: ChainProgress, isTaken: (symbol: string) => boolean) => ({
  chain: chain.name,
  tokens: chain.tokens.map((token) => token.symbol).filter(isTaken),
  ready: progress.has(chain.name),
  delayedSince: delayedSince(progress, chain),
})
