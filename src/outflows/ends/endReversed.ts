import type { OutflowsContext } from '../context.ts'
import { moveOutflow } from '../moveOutflow.ts'
import { lockClaimed, type Outflow } from '../outflow.ts'
import { isGivenBackThere, reversedReason } from '../outflowSource.ts'

/**
 * Cancels a refund that waits for its customer or a second owner, and whose payment a fork has taken away.
 * Settling its session does so by itself, but not while the database is restored.
 * @returns false if its payment is there
 */
export async function endReversed(ctx: OutflowsContext, outflow: Outflow): Promise<boolean> {
  if (await isGivenBackThere(ctx.db, outflow)) return false
  await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (now && !(await isGivenBackThere(tx, now)))
      await moveOutflow(ctx, tx, now, {
        status: 'cancelled',
        release: 'payment_reversed',
        reason: reversedReason,
      })
  })
  return true
}
