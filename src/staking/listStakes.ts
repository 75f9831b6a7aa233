import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { type Created, createdWithin, findPage, type Page, type PageRequest } from '../platform/pages.ts'
import { stakeModel } from './model.ts'
import { presentStake, type StakeView, type StakingTransaction } from './presentStake.ts'
import { readStakes, type StakeStatus } from './storedStake.ts'
import { withdrawalTxHashes } from './withdrawalTxHashes.ts'

export interface StakeFilter extends Created {
  chain?: string
  status?: readonly StakeStatus[]
}

/**
 * Stakes of the business by creation, the newest first by default, with their rewards up to now.
 */
export async function listStakes(
  ctx: { db: ModelDb },
  businessId: string,
  { chain, status, ...created }: StakeFilter,
  request: PageRequest,
): Promise<Page & { stakes: StakeView[] }> {
  return ctx.db.snapshot(async (tx) => {
    const where = {
      businessId,
      ...(chain !== undefined && { chain }),
      ...(status !== undefined && { status: [...status] }),
      ...createdWithin(created),
    }
    const { rows, page } = await findPage(stakeModel(ctx.db.sequelize), where, request, tx.transaction)
    const ids = rows.map(({ id }) => id)
    return { stakes: await viewsOf(tx, businessId, ids), ...page }
  })
}

/** In the order of the ids; leaves out those that are not the business's. */
export async function viewsOf(
  db: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<StakeView[]> {
  const stakes = await readStakes(db, 'business_id = $1 and id = any($2::uuid[])', [businessId, [...ids]])
  const roots = [...new Set(stakes.map(({ rootId }) => rootId))]
  const intents = await db.query<StakingTransaction & { id: string }>(
    'select id, tx_id as "txId", status from intents where business_id = $1 and id = any($2::uuid[])',
    [businessId, roots],
  )
  const withdrawals = await withdrawalTxHashes(db, stakes)
  const transactions = new Map(intents.map((each) => [each.id, each]))
  const byId = new Map(stakes.map((each) => [each.id, each]))
  const now = new Date()
  return ids.flatMap((id) => {
    const stake = byId.get(id)
    const transaction = stake && transactions.get(stake.rootId)
    return stake && transaction ? [presentStake(stake, transaction, withdrawals.get(id), now)] : []
  })
}
