import type { Capability } from '../capability.ts'
import { gasPurpose } from './gasPurpose.ts'
import { sweepSettings } from './settings.ts'
import { sweepPurpose } from './sweepPurpose.ts'

const sweeping = [
  'sweeps.enqueued',
  'sweeps.planned',
  'sweeps.funded',
  'sweeps.sent',
  'sweeps.settled',
  'treasury.sweep-nonce-stored',
  'treasury.sweep-authorized',
] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof sweeping)[number], 'sweeping'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    /** A sweep, or an address whose sweeps are to be planned (`dueSweeps.ts`). */
    sweeps: { due: string }
  }
}

/** Moves what deposit addresses hold to the treasury. */
export const sweeps: Capability = {
  name: 'sweeps',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).sweepDashboardRoutes },
  failpoints: { sweeping },
  settings: { worker: sweepSettings },
  intents: [sweepPurpose, gasPurpose],
  tables: {
    treasury_addresses: { api: 'select', worker: 'select', treasury: 'select, insert, update' },
    treasury_floats: { api: 'select', worker: 'select, insert, update' },
    // Only the operator sets levels, by a command.
    treasury_levels: { api: 'select', worker: 'select' },
    sweep_settings: { api: 'select, insert, update', worker: 'select', treasury: 'select' },
    // A trigger notes where a payment was posted, also when the api settles a session.
    sweep_sources: { api: 'select, insert, update (next_at)', worker: 'select, insert, update' },
    sweeps: { api: 'select', worker: 'select, insert, update', treasury: 'select, update (next_at)' },
    sweep_intents: { worker: 'select, insert', treasury: 'select' },
    sweep_authorizations: { worker: 'select', treasury: 'select, insert, update (signature)' },
  },
  queues: {
    sweeps: {
      source: 'rows',
      channel: 'cowry_sweeps',
      enqueued: 'sweeps.enqueued',
      due: async (db) => (await import('./dueSweeps.ts')).dueSweeps(db),
      job: (due) => ({ payload: { due }, deduplicationId: `sweeps-${due}`.replaceAll(/[ :]/g, '-') }),
      start: async (ctx) => (await import('./sweepsWorker.ts')).sweepsWorker(ctx),
    },
  },
  async startWorker(ctx) {
    ;(await import('./sweepMetrics.ts')).createSweepMetrics(ctx.metrics, ctx.db, ctx.chains)
    ;(await import('./startFloats.ts')).startFloats(ctx)
  },
}
