import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** What can wait for a second member. */
export type Subject = 'transfer'

/** So long it can be approved; after that it has failed. */
export const approvalHours = 72

export interface WantedApproval {
  businessId: string
  subject: Subject
  subjectId: string
  /** Exactly one of the two asks. */
  accountId: string | null
  apiKeyId: string | null
}

/** Asks a second member to approve something, in the transaction that stores it. */
export async function askApproval(tx: Tx, { businessId, subject, subjectId, accountId, apiKeyId }: WantedApproval): Promise<void> {
  await tx.query(
    `insert into approvals (id, business_id, subject, subject_id, asked_by_account, asked_by_key, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 hour')`,
    [newId(), businessId, subject, subjectId, accountId, apiKeyId, approvalHours],
  )
}
