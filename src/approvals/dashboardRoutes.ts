import { decidedBridge } from '../bridge/decidedBridge.ts'
import { decidedOwner } from '../businesses/decidedOwner.ts'
import { decidedDestination } from '../destinations/decidedDestination.ts'
import type { Routes } from '../http/routes.ts'
import { decidedOutflow } from '../outflows/decidedOutflow.ts'
import type { OutflowEvents } from '../outflows/outflowEvents.ts'
import { decidedBatch } from '../payouts/batches/decidedBatch.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { notFound } from '../platform/errors.ts'
import { splitQuery } from '../platform/pages.ts'
import type { Secret } from '../platform/secrets.ts'
import { decidedLimits } from '../spendingLimits/setLimits.ts'
import { decidedTransfer } from '../transfers/decidedTransfer.ts'
import { withSubjects } from '../transfers/withSubjects.ts'
import type { TxManagerContext } from '../txmgr/context.ts'
import type { ApprovalSources } from './approvalSources.ts'
import { decideApproval } from './decideApproval.ts'
import { decidedSetting } from './decidedSetting.ts'
import { type ApprovalView, listApprovals, readApproval } from './listApprovals.ts'

export interface ApprovalDashboardContext {
  db: ModelDb
  outflowEvents: OutflowEvents
  approvalSources: ApprovalSources
  appKey: Secret
  txmgr: Pick<TxManagerContext, 'purposes' | 'prover'>
}

/** Approvals by a second owner. */
export function approvalDashboardRoutes(ctx: ApprovalDashboardContext): Routes {
  const shown = async (businessId: string, approvals: readonly ApprovalView[]) => {
    const subjects = new Map<string, object>()
    for (const load of ctx.approvalSources.subjects) {
      const show = await load()
      for (const [id, subject] of await show(ctx, businessId, approvals)) subjects.set(id, subject)
    }
    return withSubjects(ctx, businessId, approvals, subjects)
  }
  return {
    async listApprovals({ caller: { businessId, account }, query }) {
      if (!account) throw new Error('approvals are read by members')
      const { filter, request } = splitQuery(query)
      const { approvals, ...page } = await listApprovals(ctx, businessId, account.id, filter, request)
      return { status: 200, body: { approvals: await shown(businessId, approvals), ...page } }
    },
    async decideApproval({ caller: { businessId, actor, account }, params, body: { decision, revision } }) {
      if (!account) throw new Error('approvals are decided by members only')
      const id = params.approvalId
      const decided = {
        ...{
          transfer: decidedTransfer(ctx.txmgr),
          'bridge-burn': decidedBridge(ctx.txmgr),
          payout: decidedOutflow(ctx, revision),
          'payout-batch': decidedBatch(ctx, revision),
        },
        ...{
          destination: decidedDestination,
          limits: decidedLimits,
          setting: decidedSetting(ctx.approvalSources.settings),
          owner: decidedOwner,
        },
      }
      await decideApproval({ db: ctx.db, prover: ctx.txmgr.prover, decided }, actor, {
        businessId,
        id,
        accountId: account.id,
        decision,
      })
      const view = await readApproval(ctx, businessId, account.id, id)
      const [approval] = await shown(businessId, view ? [view] : [])
      if (!approval) throw notFound('Approval')
      return { status: 200, body: approval }
    },
  }
}
