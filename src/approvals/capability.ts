import type { Capability } from '../capability.ts'

/** Decisions of a second owner. */
export const approvals: Capability = {
  name: 'approvals',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).approvalDashboardRoutes },
}
