import type { Capability } from '../capability.ts'

/** A business at a glance, for the dashboard's first page. */
export const overview: Capability = {
  name: 'overview',
  tables: {
    // Written by triggers of sessions, with the owner's rights. A worker locks rows first, which needs the right to
    // change one column.
    taken_changes: { api: 'select', worker: 'select, update (unpaid), delete' },
    taken_sums: { api: 'select', worker: 'select, insert, update' },
    taken_progress: {},
  },
  maintenance: [async ({ db }) => (await import('./foldTaken.ts')).foldTaken(db)],
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).overviewDashboardRoutes },
}
