import type { Capability } from '../capability.ts'

/** Decisions of a second owner. */
export const approvals: Capability = {
  name: 'approvals',
  tables: {
    member_sponsors: { api: 'select, insert', worker: 'select', treasury: 'select' },
    key_sponsors: { api: 'select, insert', worker: 'select', treasury: 'select' },
  },
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).approvalDashboardRoutes },
}
