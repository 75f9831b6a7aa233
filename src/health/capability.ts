import type { Capability } from '../capability.ts'

/** The state of chains, queues, partners and backups, and dead jobs, for operators. */
export const health: Capability = {
  name: 'health',
  tables: {
    chain_reports: { api: 'select', indexer: 'select, insert, update' },
    queue_reports: { api: 'select', worker: 'select, insert, update' },
  },
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).healthDashboardRoutes },
}
