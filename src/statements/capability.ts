import type { Capability } from '../capability.ts'

/** The ledger for people: balances, entries and statements of a business; closes for operators. */
export const books: Capability = {
  name: 'books',
  routes: {
    shared: async () => (await import('./routes.ts')).bookRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).closeRoutes,
  },
}
