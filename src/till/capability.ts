import type { Capability } from '../capability.ts'

/** The till: members take payments of customers in front of them, cashiers with it alone. */
export const till: Capability = {
  name: 'till',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).tillDashboardRoutes },
  tables: { till_sessions: { api: 'select, insert' } },
}
