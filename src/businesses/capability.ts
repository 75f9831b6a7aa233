import type { Capability } from '../capability.ts'

/** Businesses, their members, and the settings of payments. */
export const businesses: Capability = {
  name: 'businesses',
  approvals: {
    settings: { second_factor: async () => (await import('./setOwnersFactor.ts')).decidedOwnersFactor },
  },
  tables: { business_logos: { api: 'select, insert, update, delete' } },
  routes: {
    public: async () => (await import('./routes.ts')).businessRoutes,
    shared: async () => (await import('./sharedRoutes.ts')).sharedBusinessRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).businessDashboardRoutes,
  },
}
