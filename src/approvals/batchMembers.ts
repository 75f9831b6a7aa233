import type { Prover } from '../custody/proof.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { approvalStateOf } from './approvalState.ts'
import { approvalMessage, type ProvenApproval } from './proof.ts'

/**
 * SQL: the approval `a` is decided together with its payout batch. Each payout of a batch has its own, which
 * only the decision about the batch decides; so has a new destination while a payout of the batch waits.
 */
export const withBatchSql = (
  a: string,
): string => `(${a}.batch_id is not null and ${a}.batch_id <> ${a}.subject_id
  and (${a}.subject = 'payout' or ${waitsSql(`${a}.batch_id`)}))`

/** SQL: a payout of the batch waits for the approval. */
export const waitsSql = (batch: string): string =>
  `exists (select 1 from outflows w where w.batch_id = ${batch} and w.status = 'awaiting_approval')`

export async function isDecidedWithBatch(
  db: Queryable,
  { subjectId, batchId }: { subjectId: string; batchId: string | null },
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from approvals a where a.subject_id = $1 and a.batch_id = $2 and ${withBatchSql('a')}`,
    [subjectId, batchId],
  )
  return rows.length > 0
}

/**
 * Decides the approvals of a batch's payouts that wait, and of the new destinations that were saved with
 * it. A destination that only cancelled payouts name was not shown: it is not approved here, and is decided
 * alone afterwards. Each approval gets a proof of its own, as if it had been decided alone: what leaves
 * trusts no other.
 * @throws ApiError 409 `approval_void`: who requested it may save no destination any more
 */
export async function decideMembers(
  ctx: { prover: Prover },
  tx: Tx,
  batchId: string,
  { decision, ...by }: { decision: 'approved' | 'refused'; decidedBy: string; decidedAt: Date },
): Promise<void> {
  const rows = await tx.query<Omit<ProvenApproval, 'decidedBy' | 'decidedAt'>>(
    `select id, business_id as "businessId", subject, subject_id as "subjectId", asked_by_account as "askedByAccount", asked_by_key as "askedByKey"
     from approvals a where batch_id = $1 and subject_id <> $1 and decision is null
       and ((subject = 'destination' and $2 = 'refused') or exists (select 1 from outflows o where o.status = 'awaiting_approval'
         and (o.id = a.subject_id or (o.batch_id = $1 and a.subject = 'destination' and o.destination_id = a.subject_id))))
     order by id for update`,
    [batchId, decision],
  )
  if (decision === 'approved') await requireAsker(tx, rows)
  const proofs =
    decision === 'approved'
      ? rows.map((row) => ctx.prover.prove(approvalMessage({ ...row, ...by })))
      : rows.map(() => null)
  await tx.query(
    `update approvals a set decision = $1, decided_by = $2, decided_at = $3, proof = d.proof
     from unnest($4::uuid[], $5::bytea[]) as d(id, proof) where a.id = d.id`,
    [decision, by.decidedBy, by.decidedAt, rows.map(({ id }) => id), proofs],
  )
}

/** A batch has one requester: what holds for one of its destinations holds for all. */
async function requireAsker(
  tx: Tx,
  rows: readonly Pick<ProvenApproval, 'subject' | 'subjectId'>[],
): Promise<void> {
  const destination = rows.find(({ subject }) => subject === 'destination')
  if (destination && (await approvalStateOf(tx, 'destination', destination.subjectId)) === 'void')
    throw new ApiError(
      409,
      'approval_void',
      'Who requested it may no longer save destinations, and some are new: refuse it, and pay to saved ones',
    )
}
