import type { Capability } from '../capability.ts'
import type { IntentPurpose } from '../txmgr/intents.ts'

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
  interface Failpoints
    extends Record<(typeof points)[number], 'staking'>,
      Record<(typeof nativePoints)[number], 'nativeStaking'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    staking: { stakeId: string }
  }
}

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Brings the money of a stake to the staking address, signed with a key of the request. */
    stake: true
    /** Pays a stake, its rewards, or both, back to the address that staked. */
    'stake-withdrawal': true
    /** Opens the account of a native stake and delegates it, signed with a key of the request. */
    'native-stake': true
    /** Deactivates a native stake, or a part of it. */
    'native-unstake': true
    /** Pays all that the account of a native stake holds to its owner. */
    'native-withdrawal': true
  }
}

/** Stakes of customers. */
export const stakePurpose: IntentPurpose = {
  name: 'stake',
  signers: ['caller'],
  madeBy: 'api',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onStakeChange(...changed),
  policy: { check: async () => 'stakes are signed with keys of requests' },
}

/** Payments of the platform from the staking address. */
const withdrawalPurpose: IntentPurpose = {
  name: 'stake-withdrawal',
  signers: ['staking'],
  madeBy: 'worker',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onWithdrawalChange(...changed),
  stop: async (_ctx, tx, row) => (await import('./withdrawalStop.ts')).withdrawalStop(tx, row),
  policy: {
    check: async (...row) => (await import('./withdrawalPolicy.ts')).refusalOfWithdrawal(...row),
    action: async (...row) => (await import('./withdrawalPolicy.ts')).withdrawalAction(...row),
  },
}

const ofCaller: Pick<IntentPurpose, 'signers' | 'madeBy' | 'policy'> = {
  signers: ['caller'],
  madeBy: 'api',
  policy: { check: async () => 'native stakes are signed with keys of requests' },
}

const onMoveChange: IntentPurpose['onChange'] = async (...changed) =>
  (await import('./native/onMoveChange.ts')).onMoveChange(...changed)

/** Stakes of customers that the chain itself holds. */
const nativePurposes: readonly IntentPurpose[] = [
  {
    ...ofCaller,
    name: 'native-stake',
    onChange: async (...changed) => (await import('./onIntentChange.ts')).onStakeChange(...changed),
  },
  { ...ofCaller, name: 'native-unstake', onChange: onMoveChange },
  { ...ofCaller, name: 'native-withdrawal', onChange: onMoveChange },
]

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
    stake_confirmations: { worker: 'select, insert, update, delete', treasury: 'select' },
    stake_retries: { worker: 'select', treasury: 'select' },
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
  startWorker: async ({ metrics, db, chains }) =>
    (await import('./stakingMetrics.ts')).createStakingMetrics(metrics, db, chains),
}
