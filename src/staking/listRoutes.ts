import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { getStake } from './getStake.ts'
import { listPlans } from './listPlans.ts'
import { listStakes } from './listStakes.ts'

/** Plans and stakes, for programs and for the dashboard. */
export const stakingListRoutes = (ctx: { db: ModelDb }): Routes => ({
  listStakingPlans: async ({ query: { chain } }) => ({ status: 200, body: await listPlans(ctx, chain) }),
  async listStakes({ query, caller }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listStakes(ctx, caller.businessId, filter, request) }
  },
  getStake: async ({ params, caller }) => ({
    status: 200,
    body: await getStake(ctx, caller.businessId, params.id),
  }),
})
