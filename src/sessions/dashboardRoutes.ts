import { explorerOf } from '../chains/explorers.ts'
import type { Routes } from '../http/routes.ts'
import { sessionTimeline } from './sessionTimeline.ts'
import type { SharedSessionContext } from './sharedRoutes.ts'

/** What only the dashboard shows of a session. */
export const sessionDashboardRoutes = (ctx: SharedSessionContext): Routes => ({
  getSessionTimeline: async ({ caller, params }) => ({
    status: 200,
    body: { entries: await sessionTimeline(ctx, caller.businessId, params.id) },
  }),
  listExplorers: async () => ({
    status: 200,
    body: {
      explorers: ctx.chains.flatMap((chain) => {
        const explorer = explorerOf(chain)
        return explorer ? [{ chain: chain.name, ...explorer }] : []
      }),
    },
  }),
})
