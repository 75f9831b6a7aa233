import type { Chain } from '../chains/registry.ts'
import type { Routes } from '../http/routes.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { splitQuery } from '../platform/pages.ts'
import { getSession } from './getSession.ts'
import { listSessions } from './listSessions.ts'

export interface SharedSessionContext {
  db: ModelDb
  chains: readonly Chain[]
}

/** Payment sessions, to read: by API and in the dashboard. */
export const sharedSessionRoutes = (ctx: SharedSessionContext): Routes => ({
  async listSessions({ query, caller }) {
    const { filter, request } = splitQuery(query)
    const { since, until, ...rest } = filter
    const times = { ...(since && { since: new Date(since) }), ...(until && { until: new Date(until) }) }
    return { status: 200, body: await listSessions(ctx, caller.businessId, { ...rest, ...times }, request) }
  },
  getSession: async ({ params, caller }) => ({ status: 200, body: await getSession(ctx, caller.businessId, params.id) }),
})
