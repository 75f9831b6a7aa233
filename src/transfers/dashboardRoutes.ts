import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import type { TxManagerContext } from '../txmgr/context.ts'
import { giveUpTransfer } from './giveUpTransfer.ts'
import { listHeldTransfers } from './listHeldTransfers.ts'

export interface TransferDashboardContext {
  db: Db
  txmgr: Pick<TxManagerContext, 'purposes'>
}

/** Transfers of suspended businesses, for operators of the platform. */
export const transferDashboardRoutes = (ctx: TransferDashboardContext): Routes => ({
  async listHeldTransfers({ params, query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listHeldTransfers(ctx, params.businessId, filter, request) }
  },
  giveUpTransfer: async ({ caller, params }) => ({
    status: 200,
    body: await giveUpTransfer(
      { db: ctx.db, purposes: ctx.txmgr.purposes },
      caller.actor,
      params.businessId,
      params.transferId,
    ),
  }),
})
