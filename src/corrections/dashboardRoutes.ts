import { callerAccount } from '../accounts/callerAccount.ts'
import { refuseUnopened, type UnopenedContext } from '../chains/refuseUnopened.ts'
import type { Prover } from '../custody/proof.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import { decideAdjustment } from './decideAdjustment.ts'
import { listAdjustments } from './listAdjustments.ts'
import { listSuspense } from './listSuspense.ts'
import { proposeAdjustment, proposeAssignment } from './proposeAdjustment.ts'
import { proposeReturn } from './proposeReturn.ts'

export interface AdjustmentDashboardContext extends UnopenedContext {
  db: Db
  txmgr: { prover: Prover }
}

/** Adjustments and suspense, for operators. */
export const adjustmentDashboardRoutes = (ctx: AdjustmentDashboardContext): Routes => ({
  async listAdjustments({ caller, query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listAdjustments(ctx, callerAccount(caller).accountId, filter, request) }
  },
  proposeAdjustment: async ({ caller, body }) => ({
    status: 201,
    body: await proposeAdjustment(ctx, caller.actor, callerAccount(caller).accountId, body),
  }),
  decideAdjustment: async ({ caller, params, body }) => ({
    status: 200,
    body: await decideAdjustment(
      { ...ctx, maker: { madeBy: 'api', prover: ctx.txmgr.prover } },
      caller.actor,
      callerAccount(caller).accountId,
      params.adjustmentId,
      body.decision,
    ),
  }),
  async listSuspense({ query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listSuspense(ctx, filter, request) }
  },
  proposeAssignment: async ({ caller, params, body }) => ({
    status: 201,
    body: await proposeAssignment(ctx, caller.actor, callerAccount(caller).accountId, params.paymentId, body),
  }),
  async proposeReturn({ caller, params, body }) {
    await refuseUnopened(ctx, body.toAddress, 'toAddress')
    return {
      status: 201,
      body: await proposeReturn(ctx, caller.actor, callerAccount(caller).accountId, params.paymentId, body),
    }
  },
})
