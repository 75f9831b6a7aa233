import type { Queryable } from '../platform/db.ts'
import { withDisplayed } from '../sendLimits/listSenders.ts'
import { presentTransfer } from '../transfers/presentTransfer.ts'
import { readIntents } from '../txmgr/intents.ts'
import type { ApprovalView } from './listApprovals.ts'

/** Adds to each approval its transfer or limits. */
export async function withSubjects(ctx: { db: Queryable }, businessId: string, approvals: readonly ApprovalView[]): Promise<object[]> {
  const ids = approvals.map(({ subjectId }) => subjectId)
  const rows = await readIntents(ctx.db, 'id = any($1::uuid[]) and business_id = $2', [ids, businessId])
  const found = new Map(rows.map((row) => [row.id, presentTransfer(row)]))
  return approvals.flatMap<object>(({ subjectId, limits, owner, ...approval }) => {
    if (limits)
      return [{ ...approval, transfer: null, limits: { ...limits, before: withDisplayed(limits.before), after: withDisplayed(limits.after) } }]
    if (owner) return [{ ...approval, transfer: null, owner }]
    const of = found.get(subjectId)
    if (!of) return []
    const { id, chain, symbol, amount, fromAddress, toAddress, memo, status, reason } = of
    return [{ ...approval, transfer: { id, chain, symbol, amount, fromAddress, toAddress, ...(memo !== undefined && { memo }), status, reason } }]
  })
}
