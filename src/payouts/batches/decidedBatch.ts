import type { Decided } from '../../approvals/decideApproval.ts'
import { recordEvents } from '../../events/recordEvents.ts'
import { movePayouts } from '../../outflows/movePayouts.ts'
import { type Outflow, readOutflows } from '../../outflows/outflow.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError, invalidBody } from '../../platform/errors.ts'
import type { Secret } from '../../platform/secrets.ts'
import { payoutsEnded } from '../payoutEvents.ts'
import { presentPayouts } from '../readPayouts.ts'
import { findBatch } from './readBatches.ts'

/**
 * The effect of a decision about a batch: each of its payouts that waits goes on, or gives its money back.
 * @param revision the one that the decision is about; only an approval needs it
 */
export const decidedBatch = (ctx: { appKey: Secret }, revision: number | undefined): Decided => ({
  whyOver: async (tx, of) =>
    (await lockWaiting(tx, of)).length > 0 ? null : 'None of its payouts waits for an approval any more',
  async approved(tx, { businessId, subjectId }) {
    if (revision === undefined)
      throw invalidBody({
        field: 'revision',
        message: 'is required: the one that you have seen',
        code: 'required',
      })
    const batch = await findBatch(tx, businessId, subjectId)
    if (batch.revision !== revision)
      throw new ApiError(
        409,
        'revision_outdated',
        `It has changed: its revision is ${batch.revision}. Look at it again`,
      )
    const waiting = await lockWaiting(tx, { businessId, subjectId })
    await movePayouts(tx, businessId, waiting, { status: 'pending' })
    // Other payouts may wait for a destination that was saved with the batch.
    await tx.query(
      `update outflows set next_at = now() where status = 'pending' and reason = 'destination_approval' and business_id = $2
         and destination_id in (select subject_id from approvals where batch_id = $1 and subject = 'destination')`,
      [subjectId, businessId],
    )
  },
  async refused(tx, { businessId, subjectId }) {
    const waiting = await lockWaiting(tx, { businessId, subjectId })
    const after = await movePayouts(tx, businessId, waiting, {
      status: 'failed',
      release: 'approval_refused',
      reason: 'approval_refused',
    })
    recordEvents(tx, businessId, payoutsEnded(await presentPayouts(ctx, tx, businessId, after)))
    await tx.query(
      `update payout_destinations set archived_at = now() where business_id = $2 and archived_at is null
         and id in (select subject_id from approvals where batch_id = $1 and subject = 'destination' and decision = 'refused')`,
      [subjectId, businessId],
    )
  },
})

const lockWaiting = (
  tx: Tx,
  { businessId, subjectId }: { businessId: string; subjectId: string },
): Promise<Outflow[]> =>
  readOutflows(
    tx,
    "batch_id = $1 and business_id = $2 and status = 'awaiting_approval' order by id for update",
    [subjectId, businessId],
  )
