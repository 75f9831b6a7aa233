import { approvalStateOf } from '../approvals/approvalState.ts'
import { approvalsOf } from '../approvals/approvalsOf.ts'
import type { OutflowsContext } from './context.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow } from './outflow.ts'

/** Between two checks: the requester may lose the right to at any time. */
const lookMs = 5 * 60_000

/** Ends the wait of an outflow whose approval was given, refused, or is over. */
export async function followApproval(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  const ended = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (now?.status !== 'awaiting_approval') return false
    const standing = await approvalStateOf(tx, 'payout', now.id)
    if (standing === 'approved') {
      await moveOutflow(ctx, tx, now, { status: 'pending', nextInMs: 0 })
      return false
    }
    if (standing !== 'waiting') {
      await moveOutflow(ctx, tx, now, {
        status: 'failed',
        release: 'approval_over',
        reason: `approval_${standing}`,
      })
      return true
    }
    const expiresAt = (await approvalsOf(tx, 'payout', [now.id])).get(now.id)?.expiresAt ?? null
    await tx.query(
      "update outflows set next_at = least($2::timestamptz, now() + $3 * interval '1 millisecond') where id = $1",
      [now.id, expiresAt, ctx.pollMs ?? lookMs],
    )
    return false
  })
  if (ended) ctx.observe('failed', outflow.kind)
}
