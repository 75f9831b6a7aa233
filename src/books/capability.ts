import type { Capability } from '../capability.ts'

/** A business's view of the ledger: balances, entries and statements. */
export const books: Capability = {
  name: 'books',
  routes: { shared: async () => (await import('./routes.ts')).bookRoutes },
}
