import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { readAmountLimits, setAmountLimits } from './amountLimits.ts'

export interface SharedBusinessContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** Settings of a business: by API and in the dashboard. */
export const sharedBusinessRoutes = (ctx: SharedBusinessContext): Routes => ({
  getAmountLimits: async ({ caller }) => ({
    status: 200,
    body: { limits: await readAmountLimits(ctx.db, caller.businessId) },
  }),
  async setAmountLimits({ body, caller, remember }) {
    const limits = await setAmountLimits(ctx, caller.businessId, body.limits, (tx, { before, after }) =>
      remember(
        tx,
        { status: 200, body: { limits: after } },
        { before: { limits: before }, after: { limits: after } },
      ),
    )
    return { status: 200, body: { limits } }
  },
})
