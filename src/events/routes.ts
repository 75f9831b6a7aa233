import type { IncomingHttpHeaders } from 'node:http'
import type { Routes } from '../http/routes.ts'
import { invalidParameters } from '../platform/errors.ts'
import { type AwaitingContext, awaitEvents, streamEvents } from './awaitEvents.ts'
import { type EventQuery, getEvent, listEvents } from './listEvents.ts'
import { requireTypes } from './requireTypes.ts'
import { streamed } from './serverSentEvents.ts'

/** Events read at a time for a stream. */
const streamLimit = 100

/** Events: by API and in the dashboard. */
export function eventRoutes(ctx: AwaitingContext & { eventTypes: readonly string[] }): Routes {
  return {
    async listEvents({ query: { after = 0, limit = 20, type, wait = 0 }, caller, headers, waits }) {
      const { businessId } = caller
      const unknown = requireTypes(ctx.eventTypes, type?.split(',') ?? [], () => 'type')
      if (unknown.length > 0) throw invalidParameters(...unknown.slice(0, 1))
      const query: EventQuery = { after, limit, ...(type && { type }) }
      if (wantsStream(headers)) {
        const from = { ...query, after: Number(headers['last-event-id'] ?? after), limit: streamLimit }
        return { status: 200, body: {}, stream: streamed(streamEvents(ctx, businessId, from, waits())) }
      }
      return {
        status: 200,
        body: await (wait > 0
          ? awaitEvents(ctx, businessId, query, wait * 1000, waits())
          : listEvents(ctx, businessId, query)),
      }
    },
    getEvent: async ({ params, caller }) => ({
      status: 200,
      body: await getEvent(ctx, caller.businessId, params.id),
    }),
  }
}

const wantsStream = ({ accept }: IncomingHttpHeaders): boolean =>
  /(^|[,\s])text\/event-stream\s*($|[;,])/i.test(accept ?? '')
