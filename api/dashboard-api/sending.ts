import { getKey } from '../../src/apiKeys/listKeys.ts'
import type { WaitingChange } from '../../src/approvals/askApproval.ts'
import { decideApproval } from '../../src/approvals/decideApproval.ts'
import { type ApprovalView, listApprovals, readApproval } from '../../src/approvals/listApprovals.ts'
import { decidedOwner } from '../../src/businesses/decidedOwner.ts'
import { notFound } from '../../src/platform/errors.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import type { SendLimits } from '../../src/sendLimits/limits.ts'
import { listSenders, withDisplayed } from '../../src/sendLimits/listSenders.ts'
import { decidedLimits, setLimits } from '../../src/sendLimits/setLimits.ts'
import { decidedTransfer } from '../../src/transfers/decidedTransfer.ts'
import { presentTransfer } from '../../src/transfers/presentTransfer.ts'
import { readIntents } from '../../src/txmgr/intents.ts'
import { findWallet } from '../../src/wallets/getWallet.ts'
import type { ApiContext, Route } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'

/** Limits and approvals of transfers from stored wallets. */
export function sendingRoutes(ctx: ApiContext): Record<string, Route> {
  return {
    listSenders: async ({ caller }) => ({ status: 200, body: await listSenders(ctx, caller.businessId) }),
    async setWalletLimits({ caller: { businessId, actor }, params, body }) {
      const { id, chain } = await findWallet(ctx, businessId, params.walletId ?? '')
      const of = { businessId, subject: { kind: 'wallet', id }, only: chain } as const
      return limitsAnswer(await setLimits(ctx, actor, of, body as BodyOf<'setWalletLimits'>))
    },
    async setKeyLimits({ caller: { businessId, actor }, params, body }) {
      const { rootId } = await getKey(ctx, businessId, params.keyId ?? '')
      const of = { businessId, subject: { kind: 'key', id: rootId }, only: null } as const
      return limitsAnswer(await setLimits(ctx, actor, of, body as BodyOf<'setKeyLimits'>))
    },
    async listApprovals({ caller: { businessId, account }, query }) {
      if (!account) throw new Error('approvals are read by members')
      const { filter, request } = splitQuery(query as QueryOf<'listApprovals'>)
      const { approvals, ...page } = await listApprovals(ctx, businessId, account.id, filter, request)
      return { status: 200, body: { approvals: await withSubjects(ctx, businessId, approvals), ...page } }
    },
    async decideApproval({ caller: { businessId, actor, account }, params, body }) {
      if (!account) throw new Error('approvals are decided by members only')
      const id = params.approvalId ?? ''
      const { decision } = body as BodyOf<'decideApproval'>
      const decided = { transfer: decidedTransfer(ctx.txmgr), limits: decidedLimits, owner: decidedOwner }
      await decideApproval({ db: ctx.db, prover: ctx.txmgr.prover, decided }, actor, { businessId, id, accountId: account.id, decision })
      const view = await readApproval(ctx, businessId, account.id, id)
      const [shown] = await withSubjects(ctx, businessId, view ? [view] : [])
      if (!shown) throw notFound('Approval')
      return { status: 200, body: shown }
    },
  }
}

function limitsAnswer({ limits, approval }: { limits: SendLimits; approval: WaitingChange | null }) {
  const shown = withDisplayed(limits)
  return approval ? { status: 202, body: { ...shown, approval } } : { status: 200, body: shown }
}

/** Adds to each approval its transfer or limits. */
async function withSubjects(ctx: ApiContext, businessId: string, approvals: readonly ApprovalView[]) {
  const ids = approvals.map(({ subjectId }) => subjectId)
  const rows = await readIntents(ctx.db, 'id = any($1::uuid[]) and business_id = $2', [ids, businessId])
  const found = new Map(rows.map((row) => [row.id, presentTransfer(row)]))
  return approvals.flatMap<object>(({ subjectId, limits, owner, ...approval }) => {
    if (limits) {
      const [before, after] = [limits.before, limits.after].map((each) => withDisplayed(each as SendLimits))
      return [{ ...approval, transfer: null, limits: { ...limits, before, after } }]
    }
    if (owner) return [{ ...approval, transfer: null, owner }]
    const of = found.get(subjectId)
    if (!of) return []
    const { id, chain, symbol, amount, fromAddress, toAddress, memo, status, reason } = of
    return [{ ...approval, transfer: { id, chain, symbol, amount, fromAddress, toAddress, ...(memo !== undefined && { memo }), status, reason } }]
  })
}
