import type { Capability } from '../capability.ts'
import { eventSettings } from './settings.ts'

/** What happened to a business, in the order of its sequence numbers. */
export const events: Capability = {
  name: 'events',
  routes: { shared: async () => (await import('./routes.ts')).eventRoutes },
  settings: { api: eventSettings },
  startApi: async (ctx) => (await import('./startWaiters.ts')).startWaiters(ctx),
}
