import { hasSecondOwner } from '../approvals/secondOwner.ts'
import type { Tx } from '../platform/database/db.ts'
import { readPayoutLimits } from '../spendingLimits/payoutLimitSettings.ts'

/**
 * True when a new destination, or a new target of automatic payouts, needs a second owner: the business has a
 * threshold above which payouts do, and a second owner. The caller has locked the business.
 */
export async function targetNeedsApproval(tx: Tx, businessId: string): Promise<boolean> {
  const { approvalAbove } = await readPayoutLimits(tx, businessId)
  return approvalAbove.value !== null && (await hasSecondOwner(tx, businessId))
}
