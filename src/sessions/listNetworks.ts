import { accepts, getBusiness } from '../businesses/business.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { stuckAssets } from '../payouts/autopayoutRows.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { autosweptAssets, keyOf } from '../sweeps/autosweep.ts'
import { collectionOn } from '../sweeps/sweepKind.ts'
import { type ChainProgress, delayedSince, readProgress } from './chainProgress.ts'

interface NetworksContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
  /** Null without a payout partner. */
  paymentPartner: object | null
}

/** All networks and tokens of the deployment. */
export async function listAllNetworks(ctx: Omit<NetworksContext, 'paymentPartner'>) {
  const progress = await readProgress(ctx.db)
  return ctx.chains.map((chain) => networkOf(chain, progress, () => true))
}

/**
 * The networks and tokens that a business accepts, without those that it has autosweep or autopayout on for
 * and that cannot be swept or paid out.
 */
export async function listNetworks(ctx: NetworksContext, businessId: string) {
  const business = await getBusiness(ctx, businessId)
  const [autoswept, unpayable] = [
    await autosweptAssets(ctx.db, businessId),
    await stuckAssets(ctx, ctx.db, businessId),
  ]
  const progress = await readProgress(ctx.db)
  const isStuck = (chain: ConfiguredChain, symbol: string) => {
    const key = keyOf(chain.name, symbol)
    return unpayable.has(key) || (autoswept.has(key) && collectionOn(chain) === 'none')
  }
  const networks = ctx.chains.map((chain) =>
    networkOf(chain, progress, (symbol) => accepts(business, chain.name, symbol) && !isStuck(chain, symbol)),
  )
  return networks.filter(({ tokens }) => tokens.length > 0)
}

const networkOf = (
  chain: ConfiguredChain,
  progress: ChainProgress,
  isTaken: (symbol: string) => boolean,
) => ({
  chain: chain.name,
  tokens: chain.tokens.map((token) => token.symbol).filter(isTaken),
  ready: progress.has(chain.name),
  delayedSince: delayedSince(progress, chain),
})
