import { requireMayNameAddress } from '../apiKeys/refundAddress.ts'
import { refuseUnopened } from '../chains/refuseUnopened.ts'
import type { Routes } from '../http/routes.ts'
import { splitQuery } from '../platform/pages.ts'
import type { LimitsContext } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { cancelRefund } from './cancelRefund.ts'
import type { ClaimRoutesContext } from './claimRoutes.ts'
import { createRefund } from './createRefund.ts'
import { listRefunds } from './listRefunds.ts'
import { type RefundView, readRefund } from './refundView.ts'

export interface RefundRoutesContext extends ClaimRoutesContext, LimitsContext {
  issuer: string
  refundClaimDays: number
}

/** What the audit log has of a refund. */
const audited = ({ sessionId, kind, amount, token, chain, toAddress, memo, claim }: RefundView) => ({
  sessionId,
  kind,
  amount,
  token,
  chain,
  ...(claim ? { claim: true } : { toAddress, ...(memo !== null && { memo }) }),
})

/** Refunds of sessions: by API and in the dashboard. */
export const refundRoutes = ({
  db,
  chains,
  accounts,
  outflowEvents,
  issuer,
  refundClaimDays,
  coinUsd,
  txmgr,
}: RefundRoutesContext): Routes => ({
  async createRefund({ params, body, caller, remember }) {
    // Nodes are read only for callers who may name an address.
    if (caller.apiKey && body.toAddress !== undefined) requireMayNameAddress(caller.apiKey)
    await refuseUnopened({ chains, accounts }, body.toAddress, 'toAddress')
    const ctx = {
      db,
      chains,
      issuer,
      claimDays: refundClaimDays,
      coinUsd,
      maker: { madeBy: 'api', prover: txmgr.prover },
    } as const
    const refund = await createRefund(ctx, caller, params.id, body, (tx, view, stored) =>
      // Without the link: who lost the answer cancels the refund and makes another.
      remember(tx, { status: 201, body: view }, { after: audited(stored) }, { kind: 'refund', body: stored }),
    )
    return { status: 201, body: refund }
  },
  async listRefunds({ params, query, caller }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listRefunds({ db }, caller.businessId, params.id, filter, request) }
  },
  getRefund: async ({ params, caller }) => ({
    status: 200,
    body: await readRefund(db, caller.businessId, params.id, params.refundId),
  }),
  cancelRefund: async ({ params, caller, remember }) => ({
    status: 200,
    body: await cancelRefund(
      { db, outflowEvents },
      caller.businessId,
      params.id,
      params.refundId,
      (tx, view) => remember(tx, { status: 200, body: view }, { before: audited(view) }),
    ),
  }),
})
