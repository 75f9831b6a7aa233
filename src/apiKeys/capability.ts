import type { Capability } from '../capability.ts'

/** Keys of programs. */
export const apiKeys: Capability = {
  name: 'apiKeys',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).keyDashboardRoutes },
  startApi: async (ctx) => (await import('./startKeys.ts')).startKeys(ctx),
}
