import { listApprovals } from '../approvals/listApprovals.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { delayedSince, readProgress } from '../sessions/chainProgress.ts'
import { readLowGas } from '../sweeps/lowGas.ts'
import { failingEndpoints } from './failingEndpoints.ts'
import { openDecisions } from './openDecisions.ts'

interface NeedsContext {
  db: ModelDb
  chains: readonly ConfiguredChain[]
}

/** What waits for a person, or does not work. */
export async function readNeeds(
  ctx: NeedsContext,
  businessId: string,
  reader: { id: string; operator: boolean },
) {
  const [decisions, { total: approvals }, endpoints, delayedChains, lowGas] = await Promise.all([
    openDecisions(ctx.db, businessId),
    listApprovals(ctx, businessId, reader.id, { waiting: true }, { page: 1, limit: 1, sort: 'DESC' }),
    failingEndpoints(ctx.db, businessId),
    chainsBehind(ctx),
    reader.operator ? readLowGas(ctx.db, ctx.chains) : null,
  ])
  return { decisions, approvals, failingEndpoints: endpoints, delayedChains, lowGas }
}

async function chainsBehind({ db, chains }: NeedsContext): Promise<{ chain: string; since: string }[]> {
  const progress = await readProgress(db)
  return chains.flatMap((chain) => {
    const since = delayedSince(progress, chain)
    return since === null ? [] : [{ chain: chain.name, since }]
  })
}
