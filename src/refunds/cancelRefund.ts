import { moveOutflow } from '../outflows/moveOutflow.ts'
import { lockOutflow, type OutflowStatus } from '../outflows/outflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { type RefundView, readRefund } from './refundView.ts'

/** Nothing can have left. */
const open: readonly OutflowStatus[] = ['awaiting_claim', 'awaiting_approval', 'pending']

/**
 * Cancels a refund of which nothing can have left: its money is available again, and a link to it is void.
 * Repeating it changes nothing.
 * @throws ApiError 404; 409 `refund_not_open`, `restore_unsettled`
 */
export async function cancelRefund(
  ctx: OutflowEventContext & { db: Db },
  businessId: string,
  sessionId: string,
  id: string,
  also: (tx: Tx, result: RefundView) => Promise<void>,
): Promise<RefundView> {
  return ctx.db.tx(async (tx) => {
    await readRefund(tx, businessId, sessionId, id)
    const outflow = await lockOutflow(tx, id)
    if (!outflow) throw new Error(`refund ${id} has no outflow`)
    const { status } = outflow
    if (status !== 'cancelled') {
      if (!open.includes(status))
        throw new ApiError(409, 'refund_not_open', `The refund is ${status}: it can no longer be cancelled`)
      await moveOutflow(ctx, tx, outflow, { status: 'cancelled', release: 'refund_cancelled' })
    }
    const view = await readRefund(tx, businessId, sessionId, id)
    await also(tx, view)
    return view
  })
}
