import type { ConfiguredChain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { splitQuery } from '../platform/pages.ts'
import { getAutosweep, setAutosweep } from './autosweep.ts'
import { listFloats } from './listFloats.ts'
import { listSweeps } from './listSweeps.ts'

export interface SweepDashboardContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** Autosweep and sweeps of a business; the treasury's floats, for operators. */
export const sweepDashboardRoutes = (ctx: SweepDashboardContext): Routes => ({
  getAutosweep: async ({ caller }) => ({ status: 200, body: await getAutosweep(ctx, caller.businessId) }),
  setAutosweep: async ({ caller, body }) => ({
    status: 200,
    body: await setAutosweep(ctx, caller.actor, caller.businessId, body.sweeps),
  }),
  async listSweeps({ caller, query }) {
    const { filter, request } = splitQuery(query)
    return { status: 200, body: await listSweeps(ctx, caller.businessId, filter, request) }
  },
  listFloats: async () => ({ status: 200, body: { floats: await listFloats(ctx) } }),
})
