import type { Capability } from '../capability.ts'
import { screeningSettings } from './screeningSettings.ts'
import { sealedColumns } from './sealedColumns.ts'
import { topUpPlaceSettings, topUpSettings } from './settings.ts'

const types = {
  'payout.created': 'It was created.',
  'payout.sent': 'It may have left.',
  'payout.completed': 'It was paid.',
  'payout.failed': 'It was not paid; its money is available again.',
  'payout.cancelled': 'It was cancelled before it left.',
  'payout.unknown': 'It is not known if it was paid.',
}
const paying = [
  'payouts.enqueued',
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

/** What leaves the platform: payouts and refunds, with the destinations, settings and legal profile that they need. */
export const payouts: Capability = {
  name: 'payouts',
  sealed: sealedColumns,
  routes: {
    shared: async () => (await import('./routes.ts')).payoutRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).payoutDashboardRoutes,
  },
  events: [{ topic: 'payout', label: 'Payouts', hint: 'The progress of a payout.', types }],
  failpoints: { paying },
  settings: { worker: { ...screeningSettings, ...topUpSettings }, treasury: topUpPlaceSettings },
  tables: {
    payout_destinations: { api: 'select, insert, update (archived_at)', worker: 'select', treasury: 'select' },
    payout_settings: { api: 'select, insert, update', worker: 'select', treasury: 'select' },
    legal_profiles: { api: 'select, insert, update (sealed, updated_at)', worker: 'select' },
    autopayout_settings: { api: 'select, insert, update', worker: 'select' },
    partner_pauses: { api: 'select, insert, update (resumed_by, resumed_at)', worker: 'select' },
    partner_balances: { api: 'select', worker: 'select, insert, update (available, read_at)' },
    partner_top_ups: { api: 'select', worker: 'select, insert, update (ended_at, outcome)' },
    partner_comparisons: { api: 'select', worker: 'select, insert' },
    partner_mismatches: { api: 'select', worker: 'select, insert' },
    outflows: { api: 'select, insert, update', worker: 'select, insert, update', treasury: 'select, update (next_at)' },
    outflow_screenings: { worker: 'select, insert, update' },
  },
  startWorker: async (ctx) => (await import('./startPartner.ts')).startPartner(ctx),
  queues: {
    payouts: {
      source: 'rows',
      channel: 'cowry_payouts',
      enqueued: 'payouts.enqueued',
      due: async (db) => (await import('./dueOutflows.ts')).dueOutflows(db),
      job: (outflowId) => ({ payload: { outflowId }, deduplicationId: `payouts-${outflowId}` }),
      start: async (ctx) => (await import('./payoutsWorker.ts')).payoutsWorker(ctx),
    },
  },
}
