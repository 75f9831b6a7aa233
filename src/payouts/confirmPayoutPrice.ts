import { moveOutflow } from '../outflows/moveOutflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import { revisionOutdated } from '../outflows/revisionOutdated.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { payoutNotOpen } from './payoutNotOpen.ts'
import type { PayoutView } from './presentPayout.ts'
import { findPayout, presentOne } from './readPayouts.ts'

/**
 * Agrees to the renewed price of a pending bank payout, as it was seen. The amount that is taken does not
 * change.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `payout_not_open`, `price_not_changed`, `revision_outdated`
 */
export async function confirmPayoutPrice(
  ctx: OutflowEventContext & { db: ModelDb; appKey: Secret },
  { businessId, id, revision }: { businessId: string; id: string; revision: number },
  also: (tx: ModelTx, result: PayoutView) => Promise<void>,
): Promise<PayoutView> {
  return ctx.db.tx(async (tx) => {
    const payout = await findPayout(tx, businessId, id, 'for update')
    if (payout.status !== 'pending') throw payoutNotOpen(payout)
    const price = payout.bank?.price
    if (!price || price.localAmount >= price.agreedAmount)
      throw new ApiError(409, 'price_not_changed', 'Its price does not wait for a confirmation')
    if (payout.revision !== revision) throw revisionOutdated(payout)
    const agreed = { reason: null, agreedAmount: price.localAmount, nextInMs: 0 }
    const view = await presentOne(ctx, tx, await moveOutflow(ctx, tx, payout, agreed))
    await tx.query("select pg_notify('cowry_payouts', '')")
    await also(tx, view)
    return view
  })
}
