import type { Capability } from '../capability.ts'
import { sealedColumns } from './sealedColumns.ts'

/** What payouts need of a business: destinations with their cooling-off time, and its legal profile. */
export const payouts: Capability = {
  name: 'payouts',
  sealed: sealedColumns,
  routes: {
    shared: async () => (await import('./routes.ts')).payoutRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).payoutDashboardRoutes,
  },
  tables: {
    payout_destinations: { api: 'select, insert, update (archived_at)' },
    payout_settings: { api: 'select, insert, update' },
    legal_profiles: { api: 'select, insert, update (sealed, updated_at)' },
  },
}
