import { enqueue } from '../platform/database/outbox.ts'
import { isRestored } from '../txmgr/restored.ts'
import type { OutflowsContext } from './context.ts'
import { lockClaimed, type Outflow } from './outflow.ts'
import { restoredReason } from './outflowGate.ts'
import { stopOutflow } from './stopOutflow.ts'

const lookMs = 30_000

/**
 * Has the session of an automatic payout settled again, which could not be given back while the database was
 * restored. It does not leave before.
 */
export async function settleReversed(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  const nextInMs = ctx.pollMs ?? lookMs
  if (await isRestored(ctx.db))
    return stopOutflow(ctx, outflow, { reason: restoredReason, nextInMs, ends: false })
  const { sessionId } = outflow
  if (sessionId === null) throw new Error(`outflow ${outflow.id} has no session`)
  await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (!now) return
    await enqueue(tx, 'session-payment', [{ sessionId, reason: 'outflow' }])
    await tx.query("update outflows set next_at = now() + $2 * interval '1 millisecond' where id = $1", [
      now.id,
      nextInMs,
    ])
  })
  ctx.observe('waiting', outflow.kind)
}
