import type { OutflowsContext } from '../context.ts'
import { moveOutflow } from '../moveOutflow.ts'
import { lockClaimed, type Outflow } from '../outflow.ts'

/**
 * Cancels a refund whose link has expired: its money goes back. Until then it is due when the link expires.
 */
export async function endClaim(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  const isOver = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (now?.status !== 'awaiting_claim') return false
    const [claim] = await tx.query<{ isOver: boolean }>(
      'select claim_expires_at <= now() as "isOver" from refunds where outflow_id = $1',
      [now.id],
    )
    if (!claim) throw new Error(`outflow ${now.id} waits for a claim, and has no link`)
    if (claim.isOver)
      await moveOutflow(ctx, tx, now, {
        status: 'cancelled',
        release: 'claim_expired',
        reason: 'claim_expired',
      })
    else
      await tx.query(
        'update outflows set next_at = (select claim_expires_at from refunds where outflow_id = $1) where id = $1',
        [now.id],
      )
    return claim.isOver
  })
  if (!isOver) ctx.observe('waiting', outflow.kind)
}
