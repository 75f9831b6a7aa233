import type { Capability } from '../capability.ts'

/** Compares the books with what the platform's addresses hold on each chain. */
export const reconciliation: Capability = {
  name: 'reconciliation',
  tables: {
    chain_checks: { worker: 'select, insert, update' },
    chain_drifts: { worker: 'select, insert' },
    // Only the operator books them, by a command.
    recovered_movements: { worker: 'select' },
  },
  startWorker: async (ctx) => (await import('./startReconciliation.ts')).startReconciliation(ctx),
}
