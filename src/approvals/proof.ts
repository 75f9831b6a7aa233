import { proofMessage } from '../custody/proof.ts'

/** The proven part of an approval. */
export interface ProvenApproval {
  id: string
  businessId: string
  subject: string
  subjectId: string
  askedByAccount: string | null
  askedByKey: string | null
  decidedBy: string
  decidedAt: Date
}

export function approvalMessage({
  id,
  businessId,
  subject,
  subjectId,
  askedByAccount,
  askedByKey,
  decidedBy,
  decidedAt,
}: ProvenApproval): Buffer {
  return proofMessage('approval', [
    id,
    businessId,
    subject,
    subjectId,
    askedByAccount,
    askedByKey,
    decidedBy,
    decidedAt.toISOString(),
  ])
}
