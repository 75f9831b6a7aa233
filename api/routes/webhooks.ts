import { confirmActor, recordAudit } from '../../src/audit/recordAudit.ts'
import { getEvent, listEvents } from '../../src/events/listEvents.ts'
import { countDaily, doCounted, takeDaily } from '../../src/limits/dailyCaps.ts'
import { splitQuery } from '../../src/platform/pages.ts'
import { getDelivery } from '../../src/webhooks/getDelivery.ts'
import { listDeliveries } from '../../src/webhooks/listDeliveries.ts'
import { replayDelivery, replayFailed } from '../../src/webhooks/replayDelivery.ts'
import type { ApiContext, Route } from '../context.ts'
import type { BodyOf, QueryOf } from '../types.ts'

/** Deliveries, replays and events: by API and in the dashboard. */
export function webhookRoutes(ctx: ApiContext): Record<string, Route> {
  return {
    async listWebhooks({ query, caller }) {
      const { filter, request } = splitQuery(query as QueryOf<'listWebhooks'>)
      const { since, until, ...rest } = filter
      const times = { ...(since && { since: new Date(since) }), ...(until && { until: new Date(until) }) }
      return { status: 200, body: await listDeliveries(ctx, caller.businessId, { ...rest, ...times }, request) }
    },
    getWebhook: async ({ params, caller }) => ({ status: 200, body: await getDelivery(ctx, caller.businessId, params.id ?? '') }),
    async replayWebhook({ params, caller, remember }) {
      const { businessId } = caller
      const body = await doCounted(await countDaily(ctx, businessId, 'replaysPerDay'), () =>
        replayDelivery(ctx, businessId, params.id ?? '', (tx, view) => remember(tx, { status: 202, body: view })),
      )
      return { status: 202, body }
    },
    async replayWebhooks({ body, caller, remember, goesOn }) {
      const { since, until, endpointId } = body as BodyOf<'replayWebhooks'>
      const wanted = { since: new Date(since), ...(until && { until: new Date(until) }), ...(endpointId && { endpointId }) }
      const asked = { since, until: until ?? null, endpointId: endpointId ?? null }
      const { businessId } = caller
      const take = (deliveries: number) => takeDaily(ctx, businessId, 'replaysPerDay', deliveries)
      const replayed = await replayFailed({ db: ctx.db, take }, businessId, wanted, {
        goesOn,
        // Log the start at once: the audit entry must survive a later failure.
        begun: (tx) => recordAudit(tx, caller.actor, { businessId, action: 'webhooks.replay_begun', target: null, after: asked }),
        // A replay is long: stop it when the caller loses the right to it.
        piece: (tx) => confirmActor(tx, caller.actor),
        ended: (tx, answer) => remember(tx, { status: 202, body: answer }, { after: { ...asked, ...answer } }),
      })
      return { status: 202, body: replayed }
    },
    async listEvents({ query, caller }) {
      const { after = 0, limit = 20, type } = query as QueryOf<'listEvents'>
      return { status: 200, body: await listEvents(ctx, caller.businessId, { after, limit, ...(type && { type }) }) }
    },
    getEvent: async ({ params, caller }) => ({ status: 200, body: await getEvent(ctx, caller.businessId, params.id ?? '') }),
  }
}
