import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Prover } from '../custody/proof.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { roleIn } from '../members/role.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type ApprovalState, approvalStateOf } from './approvalState.ts'
import { decideMembers, isDecidedWithBatch } from './batchMembers.ts'
import { dependsOnSql } from './independence.ts'
import { approvalMessage } from './proof.ts'
import type { Subject } from './requestApproval.ts'

export type Decision = 'approved' | 'refused'

/** The subject of an approval. */
export interface OpenRequest {
  businessId: string
  subjectId: string
  /** For a change: the requested change. */
  wanted: unknown
  askedByAccount: string | null
  askedAt: Date
}

/** The effect of a decision, in its transaction. */
export interface Decided {
  /**
   * Locks the subject.
   * @returns why it is no longer open, as text; null while a transfer is not planned, signed, failed or
   * sent, while a payout waits for it, or while the state that a change would replace is unchanged
   */
  whyOver(tx: Tx, asked: OpenRequest): Promise<string | null>
  approved(tx: Tx, asked: OpenRequest, actor: Actor): Promise<void>
  refused(tx: Tx, asked: OpenRequest): Promise<void>
}

interface Row extends OpenRequest {
  subject: Subject
  decision: Decision | null
  decidedBy: string | null
  askedByKey: string | null
  isOwn: boolean
  /** The payout batch that it is decided with; of the batch's own approval it is the subject. */
  batchId: string | null
}

/** What a decision can be about. */
export type DecidedSubject = Subject | 'payout-batch'

/**
 * Approves or refuses a request. Only an owner who is independent of the request approves it
 * (`dependsOnSql`); every owner may refuse it. Repeating a decision changes nothing.
 * @param ctx.prover signs an approval, for the treasury
 * @param also runs in the same transaction
 * @throws ApiError 403 `insufficient_role`, `own_request`; 404; 409 `approval_decided`, `approval_expired`,
 * `approval_of_batch`, `approval_void`
 */
export async function decideApproval(
  ctx: { db: Db; prover: Prover; decided: Partial<Record<DecidedSubject, Decided>> },
  actor: Actor,
  {
    businessId,
    id,
    accountId,
    decision,
  }: { businessId: string; id: string; accountId: string; decision: Decision },
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    // Members are removed under this lock: a decision comes before the removal or is refused.
    await lockBusiness(tx, businessId)
    const role = await roleIn(tx, businessId, accountId)
    if (role !== 'owner')
      throw new ApiError(
        403,
        'insufficient_role',
        `This needs the role owner in the business; yours is ${role ?? 'none'}`,
      )
    const row = await lockApproval(tx, businessId, id, accountId)
    if (row.decision === decision && row.decidedBy === accountId) return also(tx)
    const about: DecidedSubject = row.batchId === row.subjectId ? 'payout-batch' : row.subject
    const effect = ctx.decided[about]
    if (!effect) throw new Error(`approval ${id} is of a ${about}`)
    const { whyOver, ...decided } = effect
    const over = await whyOver(tx, row)
    requireOpen(row, await approvalStateOf(tx, row.subject, row.subjectId), decision, over)
    if (decision === 'approved' && row.isOwn) throw new ApiError(403, 'own_request', ownRequest)
    const decidedAt = new Date()
    const proof =
      decision === 'approved'
        ? ctx.prover.prove(approvalMessage({ ...row, id, decidedBy: accountId, decidedAt }))
        : null
    await tx.query(
      'update approvals set decision = $2, decided_by = $3, decided_at = $4, proof = $5 where id = $1',
      [id, decision, accountId, decidedAt, proof],
    )
    await recordAudit(tx, actor, {
      businessId,
      action: `approval.${decision}`,
      target: id,
      after: { [about]: row.subjectId },
    })
    if (about === 'payout-batch')
      await decideMembers(ctx, tx, row.subjectId, { decision, decidedBy: accountId, decidedAt })
    await decided[decision](tx, row, actor)
    await also(tx)
  })
}

const ownRequest =
  'An independent owner must approve it: you requested it, made the key that did, or brought in or promoted the person behind it'

async function lockApproval(tx: Tx, businessId: string, id: string, accountId: string): Promise<Row> {
  const [row] = isUuid(id)
    ? await tx.query<Row>(
        `select business_id as "businessId", subject, subject_id as "subjectId", wanted, decision, decided_by as "decidedBy", asked_by_account as "askedByAccount", asked_by_key as "askedByKey",
           asked_at as "askedAt", ${dependsOnSql('$3::uuid')} as "isOwn", batch_id as "batchId"
         from approvals a where id = $1 and business_id = $2 for update`,
        [id, businessId, accountId],
      )
    : []
  if (!row) throw notFound('Approval')
  if (row.batchId !== null && row.batchId !== row.subjectId && (await isDecidedWithBatch(tx, row)))
    throw new ApiError(409, 'approval_of_batch', `It is decided with its payout batch, ${row.batchId}`)
  return row
}

/** @param over why the request is no longer open, as text; null while it is */
function requireOpen(row: Row, standing: ApprovalState, decision: Decision, over: string | null): void {
  const isChange = row.subject === 'limits' || row.subject === 'setting' || row.subject === 'owner'
  if (standing === 'expired')
    throw new ApiError(409, 'approval_expired', 'The time to decide is over: request it again')
  if (isChange && decision === 'refused' && (standing === 'waiting' || standing === 'void')) return
  if (over !== null && row.decision === null) throw new ApiError(409, 'approval_void', over)
  if (standing === 'void' && over === null && decision === 'approved')
    throw new ApiError(409, 'approval_void', 'The requester may no longer do this: it fails')
  if (standing === 'approved' || standing === 'refused' || over !== null)
    throw new ApiError(409, 'approval_decided', 'It was already decided')
}
