import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/db.ts'
import { getAutosweep, setAutosweep } from './autosweep.ts'

export interface SweepDashboardContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** Autosweep of a business. */
export const sweepDashboardRoutes = (ctx: SweepDashboardContext): Routes => ({
  getAutosweep: async ({ caller }) => ({ status: 200, body: await getAutosweep(ctx, caller.businessId) }),
  setAutosweep: async ({ caller, body }) => ({ status: 200, body: await setAutosweep(ctx, caller.actor, caller.businessId, body.sweeps) }),
})
