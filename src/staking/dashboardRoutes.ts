import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { changePlan } from './changePlan.ts'
import { createPlan } from './createPlan.ts'
import { listPlans } from './listPlans.ts'
import { stopPlan } from './stopPlan.ts'

/** Plans, for operators of the platform. */
export const stakingDashboardRoutes = (ctx: { db: ModelDb; chains: readonly ConfiguredChain[] }): Routes => ({
  listOperatedPlans: async () => ({ status: 200, body: await listPlans(ctx, undefined) }),
  createStakingPlan: async ({ caller, body }) => ({
    status: 201,
    body: await createPlan(ctx, caller.actor, body),
  }),
  changeStakingPlan: async ({ caller, params, body }) => ({
    status: 200,
    body: await changePlan(ctx, caller.actor, params.planId, body),
  }),
  stopStakingPlan: async ({ caller, params }) => ({
    status: 200,
    body: await stopPlan(ctx, caller.actor, params.planId),
  }),
})
