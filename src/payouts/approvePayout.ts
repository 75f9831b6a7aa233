import { approvalsOf } from '../approvals/approvalsOf.ts'
import { decideApproval } from '../approvals/decideApproval.ts'
import type { Actor } from '../audit/recordAudit.ts'
import type { Prover } from '../custody/proof.ts'
import { decidedOutflow } from '../outflows/decidedOutflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import { payoutNotOpen } from './payoutNotOpen.ts'
import type { PayoutView } from './presentPayout.ts'
import { findPayout, presentOne } from './readPayouts.ts'

/**
 * The approval of a payout by a second owner. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @param of.accountId null: a key, which cannot approve
 * @throws ApiError 403 `own_request`, `insufficient_role`, `member_required`; 404; 409 `payout_not_open`,
 * `revision_outdated`, `approval_decided`, `approval_expired`, `approval_of_batch`, `approval_void`
 */
export async function approvePayout(
  ctx: OutflowEventContext & { db: Db; appKey: Secret; prover: Prover },
  actor: Actor,
  {
    businessId,
    id,
    accountId,
    revision,
  }: { businessId: string; id: string; accountId: string | null; revision: number },
  also: (tx: Tx, result: PayoutView) => Promise<void>,
): Promise<PayoutView> {
  const payout = await findPayout(ctx.db, businessId, id)
  if (accountId === null)
    throw new ApiError(
      403,
      'member_required',
      'A person approves it, in the dashboard or with an access token',
    )
  const approval = (await approvalsOf(ctx.db, 'payout', [payout.id])).get(payout.id)
  const wasDecided = approval !== undefined && approval.decision !== null
  if (!approval || (payout.status !== 'awaiting_approval' && !wasDecided)) throw payoutNotOpen(payout)
  if (payout.batchId)
    throw new ApiError(409, 'approval_of_batch', `It is decided with its payout batch, ${payout.batchId}`)
  const decided = { payout: decidedOutflow(ctx, revision) }
  await decideApproval(
    { ...ctx, decided },
    actor,
    { businessId, id: approval.id, accountId, decision: 'approved' },
    async (tx) => also(tx, await presentOne(ctx, tx, await findPayout(tx, businessId, id))),
  )
  return presentOne(ctx, ctx.db, await findPayout(ctx.db, businessId, id))
}
