import { requestApproval } from '../approvals/requestApproval.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Outflow } from './outflow.ts'

/**
 * Requests a second owner's approval of an outflow of a business, for the person or key that requested it.
 */
export async function requestOutflowApproval(
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
