import { recordEvents } from '../../events/recordEvents.ts'
import { movePayouts } from '../../outflows/movePayouts.ts'
import { readOutflows } from '../../outflows/outflow.ts'
import type { ModelDb, ModelTx } from '../../platform/database/modelDb.ts'
import type { Secret } from '../../platform/secrets.ts'
import { payoutsEnded } from '../payoutEvents.ts'
import { presentPayouts } from '../readPayouts.ts'
import { findBatch, type PayoutBatchView } from './readBatches.ts'

/**
 * Cancels what has not left of a batch, all in one step; what may have left goes on. Repeating it changes
 * nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `restore_unsettled`
 */
export async function cancelPayoutBatch(
  ctx: { db: ModelDb; appKey: Secret },
  businessId: string,
  id: string,
  also: (tx: ModelTx, result: PayoutBatchView) => Promise<void>,
): Promise<PayoutBatchView> {
  return ctx.db.tx(async (tx) => {
    const { id: batchId } = await findBatch(tx, businessId, id)
    const open = await readOutflows(
      tx,
      "batch_id = $1 and business_id = $2 and status in ('awaiting_approval', 'pending') and outcome_lost_at is null order by id for update",
      [batchId, businessId],
    )
    const after = await movePayouts(tx, businessId, open, { status: 'cancelled', release: 'cancelled' })
    recordEvents(tx, businessId, payoutsEnded(await presentPayouts(ctx, tx, businessId, after)))
    const view = await findBatch(tx, businessId, batchId)
    await also(tx, view)
    return view
  })
}
