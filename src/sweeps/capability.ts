import type { Capability } from '../capability.ts'

/** Money on its way from deposit addresses to the treasury. */
export const sweeps: Capability = {
  name: 'sweeps',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).sweepDashboardRoutes },
  tables: { sweep_settings: { api: 'select, insert, update', worker: 'select', treasury: 'select' } },
}
