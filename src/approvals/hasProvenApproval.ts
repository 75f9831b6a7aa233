import type { Verifier } from '../custody/proof.ts'
import type { Tx } from '../platform/database/db.ts'
import { dependsOnSql } from './independence.ts'
import { approvalMessage, type ProvenApproval } from './proof.ts'

/**
 * True if the approval of a subject is by an independent owner, with a valid proof of the API. @param api of
 * its key
 */
export async function hasProvenApproval(
  tx: Tx,
  api: Verifier,
  subject: string,
  subjectId: string,
): Promise<boolean> {
  const [approval] = await tx.query<ProvenApproval & { proof: Buffer | null }>(
    `select id, business_id as "businessId", subject, subject_id as "subjectId", asked_by_account as "askedByAccount", asked_by_key as "askedByKey",
       decided_by as "decidedBy", decided_at as "decidedAt", proof
     from approvals a where subject = $1 and subject_id = $2 and decision = 'approved' and not ${dependsOnSql('a.decided_by')}`,
    [subject, subjectId],
  )
  return approval?.proof != null && api.verifies(approvalMessage(approval), approval.proof)
}
