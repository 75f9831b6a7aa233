import type { Capability } from '../capability.ts'

/** A business at a glance, for the dashboard's first page. */
export const overview: Capability = {
  name: 'overview',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).overviewDashboardRoutes },
}
