import type { Capability } from '../capability.ts'

/** Who changed what. */
export const audit: Capability = {
  name: 'audit',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).auditDashboardRoutes },
}
