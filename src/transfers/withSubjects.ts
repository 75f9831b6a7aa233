import type { ApprovalView } from '../approvals/listApprovals.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { SendLimits } from '../spendingLimits/limits.ts'
import { withDisplayed } from '../spendingLimits/listSenders.ts'
import { readIntents } from '../txmgr/intents.ts'
import { presentTransfer } from './presentTransfer.ts'

/**
 * Adds to each approval its transfer, limits, setting, payout, refund or destination.
 * @param subjects payouts, refunds, destinations and bridge transfers as they are shown, by id
 */
export async function withSubjects(
  ctx: { db: Queryable },
  businessId: string,
  approvals: readonly ApprovalView[],
  subjects: ReadonlyMap<string, object>,
): Promise<object[]> {
  const ids = approvals.map(({ subjectId }) => subjectId)
  const rows = await readIntents(
    ctx.db,
    "id = any($1::uuid[]) and business_id = $2 and purpose = 'transfer'",
    [ids, businessId],
  )
  const found = new Map(rows.map((row) => [row.id, presentTransfer(row)]))
  return approvals.flatMap<object>(({ subjectId, limits, owner, setting, ...approval }) => {
    if (setting) return [{ ...approval, transfer: null, setting }]
    if (limits) {
      const [before, after] = [limits.before, limits.after].map((each) => withDisplayed(each as SendLimits))
      return [{ ...approval, transfer: null, limits: { ...limits, before, after } }]
    }
    if (owner) return [{ ...approval, transfer: null, owner }]
    const subject = subjects.get(subjectId)
    if (subject) return [{ ...approval, transfer: null, ...subject }]
    const of = found.get(subjectId)
    if (!of) return []
    const { id, chain, symbol, amount, fromAddress, toAddress, memo, status, reason } = of
    return [
      {
        ...approval,
        transfer: {
          id,
          chain,
          symbol,
          amount,
          fromAddress,
          toAddress,
          ...(memo !== undefined && { memo }),
          status,
          reason,
        },
      },
    ]
  })
}
