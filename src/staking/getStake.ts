import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { asUuid } from '../platform/ids.ts'
import { viewsOf } from './listStakes.ts'
import type { StakeView } from './presentStake.ts'

/** @throws ApiError 404, also for a stake of another business */
export async function getStake(ctx: { db: Queryable }, businessId: string, id: string): Promise<StakeView> {
  const known = asUuid(id)
  const [view] = known === null ? [] : await viewsOf(ctx.db, businessId, [known])
  if (!view) throw notFound('Stake')
  return view
}
