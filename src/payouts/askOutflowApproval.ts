import { requestApproval } from '../approvals/requestApproval.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Outflow } from './outflow.ts'

/** Asks a second owner to approve an outflow of a business, for the person or key that asked for it. */
export async function askOutflowApproval(
  tx: Tx,
  { id, businessId, askedByAccount, askedByKey }: Outflow,
): Promise<void> {
  if (businessId === null) throw new Error(`outflow ${id} has no business that could approve it`)
  await requestApproval(tx, {
    businessId,
    subject: 'payout',
    subjectId: id,
    accountId: askedByAccount,
    apiKeyId: askedByKey,
  })
}
