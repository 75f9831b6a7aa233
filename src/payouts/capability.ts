import type { Capability } from '../capability.ts'
import { sealedColumns } from '../destinations/sealedColumns.ts'
import { outflowPurpose } from '../outflows/outflowPurpose.ts'
import { topUpPlaceSettings } from '../outflows/settings.ts'
import { workerSettings } from '../outflows/workerSettings.ts'
import { coinPriceSettings, coinPrices } from '../pricing/coinPrices.ts'

const types = {
  'payout.created': 'It was created.',
  'payout.sent': 'It may have left.',
  'payout.completed': 'It was paid.',
  'payout.returned': 'The bank returned it; its money is available again, without the fee.',
  'payout.failed': 'It was not paid; its money is available again.',
  'payout.cancelled': 'It was cancelled before it left.',
  'payout.unknown': 'It is not known if it was paid.',
  'payout.price_changed': 'Its price was renewed and has to be confirmed.',
}
const paying = [
  'api.batch-stored',
  'api.batch-approved',
  'payouts.enqueued',
  'payouts.intent-stored',
  'payouts.intent-settled',
  'payouts.partner-claimed',
  'payouts.partner-submitted',
  'payouts.partner-answered',
  'payouts.partner-followed',
  'payouts.top-up-made',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof paying)[number], 'paying'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    /** An outflow that is due: a payout, a refund, a top-up. */
    payouts: { outflowId: string }
  }
}

/**
 * What leaves the platform: payouts and refunds, with the destinations, settings and legal profile that they
 * need.
 */
export const payouts: Capability = {
  name: 'payouts',
  sealed: sealedColumns,
  routes: {
    shared: async () => (await import('./routes.ts')).payoutRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).payoutDashboardRoutes,
  },
  events: [{ topic: 'payout', label: 'Payouts', hint: 'The progress of a payout.', types }],
  approvals: {
    settings: {
      payout_settings: async () => (await import('./payoutSettings.ts')).decidedPayoutSettings,
      autopayout: async () => (await import('./autopayout.ts')).decidedAutopayout,
    },
    subjects: async () => (await import('./outflowSubjects.ts')).outflowSubjects,
  },
  outflowEvents: { payout: async () => (await import('./payoutEvents.ts')).payoutEvents },
  failpoints: { paying },
  settings: { api: coinPriceSettings, worker: workerSettings, treasury: topUpPlaceSettings },
  intents: [outflowPurpose],
  tables: {
    payout_destinations: {
      api: 'select, insert, update (archived_at)',
      worker: 'select',
      treasury: 'select',
    },
    payout_settings: { api: 'select, insert, update', worker: 'select', treasury: 'select' },
    legal_profiles: { api: 'select, insert, update (sealed, updated_at)', worker: 'select' },
    payout_batches: { api: 'select, insert' },
    partner_pauses: { api: 'select, insert, update (resumed_by, resumed_at)', worker: 'select' },
    partner_balances: { api: 'select', worker: 'select, insert, update (available, read_at)' },
    partner_top_ups: { api: 'select', worker: 'select, insert, update (ended_at, outcome, late_at)' },
    partner_comparisons: { api: 'select', worker: 'select, insert' },
    payout_syncs: { worker: 'select, insert, update' },
    partner_mismatches: { api: 'select', worker: 'select, insert' },
    autopayout_settings: { api: 'select, insert, update', worker: 'select' },
    outflows: {
      api: 'select, insert, update',
      worker: 'select, insert, update',
      treasury: 'select, update (next_at)',
    },
    outflow_ends: { worker: 'select' },
    outflow_signatures: { treasury: 'select, insert' },
    outflow_screenings: { worker: 'select, insert, update' },
  },
  queues: {
    payouts: {
      source: 'rows',
      channel: 'cowry_payouts',
      enqueued: 'payouts.enqueued',
      due: async (db) => (await import('../outflows/dueOutflows.ts')).dueOutflows(db),
      job: (outflowId) => ({ payload: { outflowId }, deduplicationId: `payouts-${outflowId}` }),
      start: async (ctx) => (await import('../outflows/outflowsWorker.ts')).outflowsWorker(ctx),
    },
  },
  startApi: async ({ settings }) => ({ coinUsd: coinPrices(settings(coinPriceSettings).SWEEP_COIN_USD) }),
  startWorker: async ({ metrics, db, chains }) =>
    (await import('../outflows/outflowMetrics.ts')).createOutflowMetrics(metrics, db, chains),
}
