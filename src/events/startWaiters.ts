import type { ApiStart } from '../capability.ts'
import type { BroughtContext } from '../routeContext.ts'
import { eventSettings } from './settings.ts'
import { createEventWaiters } from './waiters.ts'

/** Requests that wait for events: notifications of the database wake them until the process stops. */
export function startWaiters(ctx: ApiStart): Pick<BroughtContext, 'eventWaiters' | 'eventStreamMs'> {
  const settings = ctx.settings(eventSettings)
  const eventWaiters = createEventWaiters(ctx, {
    inAll: settings.EVENT_WAITERS,
    perBusiness: settings.EVENT_WAITERS_PER_BUSINESS,
  })
  ctx.metrics.collected('event_waiters', 'Requests that wait for events', [], (gauge) =>
    gauge.set(eventWaiters.count()),
  )
  const waking = eventWaiters.run(ctx.directUrl, ctx.stopping)
  // A pooler may stand before a database that was away at the start.
  waking.catch(ctx.stop)
  ctx.onStop(() => waking)
  return { eventWaiters, eventStreamMs: settings.EVENT_STREAM_SECONDS * 1000 }
}
