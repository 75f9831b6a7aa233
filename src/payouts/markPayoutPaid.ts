import { moveOutflow } from '../outflows/moveOutflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import { revisionOutdated } from '../outflows/revisionOutdated.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { payoutNotOpen } from './payoutNotOpen.ts'
import type { PayoutView } from './presentPayout.ts'
import { findPayout, presentOne } from './readPayouts.ts'

/**
 * Cancels a payout that its business has paid in another way, while nothing of it can have left: its money is
 * available again. A worker that has claimed it finds it changed. Repeating it with the same proof changes
 * nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `payout_not_open`, `revision_outdated`, `restore_unsettled`
 */
export async function markPayoutPaid(
  ctx: OutflowEventContext & { db: ModelDb; appKey: Secret },
  businessId: string,
  id: string,
  { revision, proof }: { revision: number; proof: string },
  also: (tx: ModelTx, result: PayoutView) => Promise<void>,
): Promise<PayoutView> {
  return ctx.db.tx(async (tx) => {
    const payout = await findPayout(tx, businessId, id, 'for update')
    const paid = payout.paidElsewhere === proof ? payout : await mark()
    const view = await presentOne(ctx, tx, paid)
    await also(tx, view)
    return view

    async function mark() {
      if (payout.status !== 'awaiting_approval' && payout.status !== 'pending') throw payoutNotOpen(payout)
      if (payout.revision !== revision) throw revisionOutdated(payout)
      return moveOutflow(ctx, tx, payout, {
        status: 'cancelled',
        release: 'paid_elsewhere',
        reason: 'paid_elsewhere',
        paidElsewhere: proof,
      })
    }
  })
}
