import type { Capability } from '../capability.ts'

/** The books: who is owed what, and where it is. */
export const ledger: Capability = {
  name: 'ledger',
  tables: {
    ledger_close_chains: { api: 'select', worker: 'select, insert' },
    ledger_closes: { api: 'select', worker: 'select, insert' },
    ledger_drifts: { api: 'select', worker: 'select, insert' },
    ledger_links: { worker: 'select, insert' },
  },
  maintenance: [async (ctx) => (await import('./closeWhenDue.ts')).closeWhenDue(ctx)],
  startWorker: async ({ metrics, db }) =>
    (await import('./ledgerMetrics.ts')).createLedgerMetrics(metrics, db),
}
