import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/db.ts'
import { getEvent, listEvents } from './listEvents.ts'

/** Events: by API and in the dashboard. */
export const eventRoutes = (ctx: { db: Db }): Routes => ({
  async listEvents({ query, caller }) {
    const { after = 0, limit = 20, type } = query
    return { status: 200, body: await listEvents(ctx, caller.businessId, { after, limit, ...(type && { type }) }) }
  },
  getEvent: async ({ params, caller }) => ({ status: 200, body: await getEvent(ctx, caller.businessId, params.id) }),
})
