import { requireTypes } from '../events/requireTypes.ts'
import type { Routes } from '../http/routes.ts'
import type { Db } from '../platform/database/db.ts'
import { invalidParameters } from '../platform/errors.ts'
import { listNewestEvents } from './listNewestEvents.ts'

/** Events with their deliveries, as the dashboard lists them. */
export const webhookDashboardRoutes = (ctx: { db: Db; eventTypes: readonly string[] }): Routes => ({
  async listNewestEvents({ caller, query: { limit = 20, since, until, ...query } }) {
    const [unknown] = requireTypes(ctx.eventTypes, query.type ? [query.type] : [], () => 'type')
    if (unknown) throw invalidParameters(unknown)
    const times = { ...(since && { since: new Date(since) }), ...(until && { until: new Date(until) }) }
    return {
      status: 200,
      body: await listNewestEvents(ctx, caller.businessId, { limit, ...query, ...times }),
    }
  },
})
