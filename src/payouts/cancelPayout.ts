import { moveOutflow } from '../outflows/moveOutflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { payoutNotOpen } from './payoutNotOpen.ts'
import type { PayoutView } from './presentPayout.ts'
import { findPayout, presentOne } from './readPayouts.ts'

/**
 * Cancels a payout of which nothing has left. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `payout_not_open`, `restore_unsettled`
 */
export async function cancelPayout(
  ctx: OutflowEventContext & { db: ModelDb; appKey: Secret },
  businessId: string,
  id: string,
  also: (tx: ModelTx, result: PayoutView) => Promise<void>,
): Promise<PayoutView> {
  return ctx.db.tx(async (tx) => {
    const payout = await findPayout(tx, businessId, id, 'for update')
    const isOpen = payout.status === 'awaiting_approval' || payout.status === 'pending'
    if (!isOpen && payout.status !== 'cancelled') throw payoutNotOpen(payout)
    const view = await presentOne(
      ctx,
      tx,
      isOpen ? await moveOutflow(ctx, tx, payout, { status: 'cancelled', release: 'cancelled' }) : payout,
    )
    await also(tx, view)
    return view
  })
}
