import type { Capability } from '../capability.ts'
import { nativePurposes } from './nativePurposes.ts'
import { stakePurpose, withdrawalPurpose } from './stakePurpose.ts'

const types = {
  'stake.active': 'Its transaction is confirmed: it earns rewards from the time of its block on.',
  'stake.unstaking': 'It has ended, or a part of it: what it earned and lost is fixed.',
  'stake.withdrawn': 'Its payment is confirmed; or, with a reason, nothing was staked.',
}
const points = [
  'api.stake-claimed',
  'api.stake-signed',
  'api.stake-sent',
  'api.stake-recorded',
  'api.stake-unstaked',
  'api.stake-withdrawal-requested',
  'staking.enqueued',
  'staking.confirmed',
  'staking.payment-stored',
] as const

/** In requests and steps of native stakes. */
const nativePoints = [
  'api.native-stake-claimed',
  'api.native-stake-signed',
  'api.native-stake-sent',
  'api.native-stake-recorded',
  'api.native-unstake-claimed',
  'api.native-unstake-signed',
  'api.native-unstake-sent',
  'api.native-unstake-recorded',
  'api.native-withdrawal-claimed',
  'api.native-withdrawal-signed',
  'api.native-withdrawal-sent',
  'api.native-withdrawal-recorded',
  'staking.native-settled',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof points)[number], 'staking'>, Record<(typeof nativePoints)[number], 'nativeStaking'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    staking: { stakeId: string }
  }
}

/** Plans of the operator, stakes with keys of requests, and their payments. */
export const staking: Capability = {
  name: 'staking',
  routes: {
    public: async () => (await import('./routes.ts')).stakingRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).stakingDashboardRoutes,
    shared: async () => (await import('./listRoutes.ts')).stakingListRoutes,
  },
  tables: {
    staking_addresses: { api: 'select', worker: 'select', treasury: 'select, insert, update' },
    staking_plans: { api: 'select, insert, update', worker: 'select', treasury: 'select' },
    stakes: { api: 'select, insert, update', worker: 'select, update', treasury: 'select, update (next_at)' },
    stake_payments: { api: 'select', worker: 'select, insert', treasury: 'select' },
    stake_moves: { api: 'select, insert', worker: 'select, update' },
    stake_signatures: { treasury: 'select, insert' },
  },
  events: [{ topic: 'stake', label: 'Stakes', hint: 'The progress of a stake.', types }],
  failpoints: { staking: points, nativeStaking: nativePoints },
  intents: [stakePurpose, withdrawalPurpose, ...nativePurposes],
  queues: {
    staking: {
      source: 'rows',
      channel: 'cowry_staking',
      enqueued: 'staking.enqueued',
      due: async (db) => (await import('./dueStakes.ts')).dueStakes(db),
      job: (stakeId) => ({ payload: { stakeId }, deduplicationId: `staking-${stakeId}` }),
      start: async (ctx) => (await import('./stakingWorker.ts')).stakingWorker(ctx),
    },
  },
  startWorker: async ({ metrics, db }) => (await import('./stakingMetrics.ts')).createStakingMetrics(metrics, db),
}
