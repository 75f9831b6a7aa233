import type { Capability } from '../capability.ts'

/** Limits of what leaves stored wallets. */
export const sendLimits: Capability = {
  name: 'sendLimits',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).sendLimitsDashboardRoutes },
}
