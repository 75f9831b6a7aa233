import { approvalsOf } from '../../approvals/approvalsOf.ts'
import { decideApproval } from '../../approvals/decideApproval.ts'
import type { Actor } from '../../audit/recordAudit.ts'
import type { Prover } from '../../custody/proof.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import { failpoint } from '../../platform/failpoints.ts'
import type { Secret } from '../../platform/secrets.ts'
import { decidedBatch } from './decidedBatch.ts'
import { findBatch, type PayoutBatchView } from './readBatches.ts'

/**
 * The approval of a batch by a second owner. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @param of.accountId null: a key, which cannot approve
 * @throws ApiError 403 `own_request`, `insufficient_role`, `member_required`; 404; 409 `payout_not_open`,
 * `revision_outdated`, `approval_decided`, `approval_expired`, `approval_void`
 */
export async function approvePayoutBatch(
  ctx: { db: Db; appKey: Secret; prover: Prover },
  actor: Actor,
  of: { businessId: string; id: string; accountId: string | null; revision: number },
  also: (tx: Tx, result: PayoutBatchView) => Promise<void>,
): Promise<PayoutBatchView> {
  const { businessId, accountId, revision } = of
  const { id, status } = await findBatch(ctx.db, businessId, of.id)
  if (accountId === null)
    throw new ApiError(
      403,
      'member_required',
      'A person approves it, in the dashboard or with an access token',
    )
  const approval = (await approvalsOf(ctx.db, 'payout', [id])).get(id)
  if (!approval || (status !== 'awaiting_approval' && approval.decision === null))
    throw new ApiError(409, 'payout_not_open', `It does not wait for an approval: it is ${status}`)
  await decideApproval(
    { ...ctx, decided: { 'payout-batch': decidedBatch(ctx, revision) } },
    actor,
    { businessId, id: approval.id, accountId, decision: 'approved' },
    async (tx) => also(tx, await findBatch(tx, businessId, id)),
  )
  failpoint('api.batch-approved')
  return findBatch(ctx.db, businessId, id)
}
