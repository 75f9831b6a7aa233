import { listApprovals } from '../approvals/listApprovals.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { delayedSince, readProgress } from '../sessions/chainProgress.ts'
import { storedFloats } from '../sweeps/floats.ts'
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
    reader.operator ? lowGasOf(ctx) : null,
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

/** Where the treasury has too little to pay for transactions. */
async function lowGasOf({ db, chains }: NeedsContext) {
  const floats = await storedFloats(db, chains)
  return floats.flatMap(({ chain: name, token, balance, lowWater }) => {
    const native = chains.find((each) => each.name === name)?.native
    if (native?.symbol !== token || balance >= lowWater) return []
    const { symbol, decimals } = native
    return [
      {
        chain: name,
        symbol,
        balance: formatUnits(balance, decimals),
        lowWater: formatUnits(lowWater, decimals),
      },
    ]
  })
}
