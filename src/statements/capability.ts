import type { Capability } from '../capability.ts'

/** The ledger for people: balances, entries and statements of a business; closed months; closes for operators. */
export const books: Capability = {
  name: 'books',
  tables: { ledger_months: { api: 'select, insert, update' } },
  routes: {
    shared: async () => (await import('./routes.ts')).bookRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).closeRoutes,
  },
}
