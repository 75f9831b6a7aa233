import type { Queryable } from '../platform/database/db.ts'
import { type Needs, needsSql } from './independence.ts'

/** The approval of one subject. */
export interface ApprovalOf {
  id: string
  subjectId: string
  decision: 'approved' | 'refused' | null
  expiresAt: Date
  decidedAt: Date | null
  needs: Needs | null
}

/**
 * Approvals of these subjects, by the subject. That of a payout in a batch has the id of the batch's own, which
 * is the one to decide.
 */
export async function approvalsOf(
  db: Queryable,
  subject: 'payout',
  subjectIds: readonly string[],
): Promise<Map<string, ApprovalOf>> {
  const rows = await db.query<ApprovalOf>(
    `select coalesce((select h.id from approvals h where h.subject = a.subject and h.subject_id = a.batch_id), a.id) as id, subject_id as "subjectId", decision, expires_at as "expiresAt", decided_at as "decidedAt", ${needsSql} as needs
     from approvals a where subject = $1 and subject_id = any($2::uuid[])`,
    [subject, subjectIds],
  )
  return new Map(rows.map((row) => [row.subjectId, row]))
}
