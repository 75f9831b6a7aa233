import type { Capability } from '../capability.ts'

/**
 * Adjustments of the books, and payments in suspense that are given to a business, booked as the operator's,
 * or go back: by two operators.
 */
export const adjustments: Capability = {
  name: 'adjustments',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).adjustmentDashboardRoutes },
  tables: { ledger_adjustments: { api: 'select, insert, update (decision, decided_by, decided_at)' } },
}
