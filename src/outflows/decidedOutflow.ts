import type { Decided } from '../approvals/decideApproval.ts'
import { invalidBody } from '../platform/errors.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockOutflow } from './outflow.ts'
import type { OutflowEventContext } from './outflowEvents.ts'
import { revisionOutdated } from './revisionOutdated.ts'

/**
 * The effect of a decision about a payout or a refund.
 * @param revision the one that the decision is about; only an approval needs it
 */
export const decidedOutflow = (ctx: OutflowEventContext, revision: number | undefined): Decided => ({
  async whyOver(tx, { subjectId: id }) {
    const outflow = await lockOutflow(tx, id)
    return outflow?.status === 'awaiting_approval'
      ? null
      : `It does not wait for an approval any more: it is ${outflow?.status ?? 'gone'}`
  },
  async approved(tx, { subjectId: id }) {
    const outflow = await lockOutflow(tx, id)
    if (!outflow) return
    if (revision === undefined)
      throw invalidBody({
        field: 'revision',
        message: 'is required: the one that you have seen',
        code: 'required',
      })
    if (outflow.revision !== revision) throw revisionOutdated(outflow)
    await moveOutflow(ctx, tx, outflow, { status: 'pending', nextInMs: 0 })
    await tx.query("select pg_notify('cowry_payouts', '')")
  },
  async refused(tx, { subjectId: id }) {
    const outflow = await lockOutflow(tx, id)
    if (outflow)
      await moveOutflow(ctx, tx, outflow, {
        status: 'failed',
        release: 'approval_refused',
        reason: 'approval_refused',
      })
  },
})
