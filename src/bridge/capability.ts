import type { Capability } from '../capability.ts'
import type { IntentPurpose } from '../txmgr/intents.ts'
import { bridgeApiSettings, bridgeLimitsOf, bridgeWorkerSettings } from './settings.ts'

const types = {
  'bridge.in_progress': 'Its burn is confirmed.',
  'bridge.completed': 'Its mint is confirmed.',
  'bridge.failed': 'Nothing was burnt.',
}
const bridging = [
  'api.bridge-queued',
  'bridge.enqueued',
  'bridge.burnt',
  'bridge.attested',
  'bridge.reattested',
  'bridge.minting',
  'bridge.completed',
  'bridge.reclaiming',
  'bridge.reclaimed',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof bridging)[number], 'bridging'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    /** A bridge transfer that is due. */
    'bridge-tracking': { transferId: string }
  }
}

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Lets the bridge take what a transfer burns. */
    'bridge-approval': true
    /** Burns what a transfer sends to another chain. Its id is that of the transfer. */
    'bridge-burn': true
    /** Mints what was burnt, at the cost of the treasury. */
    'bridge-mint': true
    /** Returns the rent of a burn's event account to its wallet (Solana). */
    'bridge-reclaim': true
  }
  interface IntentSigners {
    /** A stored wallet, with the key of the event account of its burn. */
    bridge: true
  }
}

const onChange: IntentPurpose['onChange'] = async (...changed) =>
  (await import('./onIntentChange.ts')).onIntentChange(...changed)

const ofWallet = {
  signers: ['wallet'],
  madeBy: 'api',
  onChange,
  policy: {
    check: async (...row) => (await import('./burnPolicy.ts')).refusalOfBurn(...row),
    action: async (...row) => (await import('./burnPolicy.ts')).burnAction(...row),
  },
} as const satisfies Partial<IntentPurpose>

/**
 * The treasury builds all of them from what the API has proven of the transfer, and what Circle has signed of
 * it.
 */
const bridgePurposes: readonly IntentPurpose[] = [
  {
    ...ofWallet,
    name: 'bridge-approval',
    stop: async (...row) => (await import('./bridgeStops.ts')).approvalStop(...row),
  },
  {
    ...ofWallet,
    name: 'bridge-burn',
    signers: ['wallet', 'bridge'],
    stop: async (...row) => (await import('./bridgeStops.ts')).burnStop(...row),
  },
  {
    name: 'bridge-mint',
    signers: ['treasury'],
    madeBy: 'worker',
    onChange,
    policy: {
      check: async (...row) => (await import('./mintPolicy.ts')).refusalOfMint(...row),
      action: async (...row) => (await import('./mintPolicy.ts')).mintAction(...row),
    },
  },
  {
    name: 'bridge-reclaim',
    signers: ['wallet'],
    madeBy: 'worker',
    onChange,
    policy: {
      check: async (...row) => (await import('./reclaimPolicy.ts')).refusalOfReclaim(...row),
      action: async (...row) => (await import('./reclaimPolicy.ts')).reclaimAction(...row),
    },
  },
]

/** USDC of stored wallets moves to other chains, by Circle's CCTP. */
export const bridge: Capability = {
  name: 'bridge',
  routes: { shared: async () => (await import('./routes.ts')).bridgeRoutes },
  events: [
    { topic: 'bridge', label: 'Bridge', hint: 'The progress of USDC on its way to another chain.', types },
  ],
  approvals: { subjects: async () => (await import('./bridgeSubjects.ts')).bridgeSubjects },
  failpoints: { bridging },
  settings: { api: bridgeApiSettings, worker: bridgeWorkerSettings },
  intents: bridgePurposes,
  tables: {
    bridge_transfers: {
      api: 'select, insert, update (next_at)',
      worker:
        `select, update (status, error_message, source_tx_id, burnt_at, message, attestation, nonce, executed_speed, fee, delay,
        attested_at, expired_message, mint_cursor,
        forward_tx_id, mint_intent_id, destination_tx_id, unburnt, reclaim_at, reclaim_intent_id, reclaimed_at, next_at, tries,
        updated_at)`.replaceAll(/\s+/g, ' '),
      treasury: 'select, update (next_at)',
    },
    bridge_event_accounts: { api: 'select, update (taken_at)', treasury: 'select, insert' },
  },
  queues: {
    'bridge-tracking': {
      source: 'rows',
      channel: 'cowry_bridge',
      enqueued: 'bridge.enqueued',
      due: async (db) => (await import('./dueBridge.ts')).dueBridge(db),
      job: (transferId) => ({ payload: { transferId }, deduplicationId: `bridge-${transferId}` }),
      start: async (ctx) => (await import('./bridgeWorker.ts')).bridgeWorker(ctx),
    },
  },
  startApi: async ({ settings }) => ({ bridgeLimits: bridgeLimitsOf(settings(bridgeApiSettings)) }),
  startWorker: async ({ metrics, db, chains }) =>
    (await import('./bridgeMetrics.ts')).createBridgeMetrics(metrics, db, chains),
}
