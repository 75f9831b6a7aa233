import type { Capability } from '../capability.ts'
import type { DetectionChange } from '../watches/purposes.ts'
import { monitoringSettings } from './settings.ts'

const types = {
  'transaction.detected': 'It was seen in a block.',
  'transaction.confirmed': 'It is final.',
  'transaction.reverted': 'The chain took it back.',
}
const incoming = [
  'api.address-monitored',
  'api.addition-stored',
  'monitoring.recorded',
  'additions.piece',
  'additions.stored',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof incoming)[number], 'incoming'> {}
}
declare module '../platform/jobs.ts' {
  interface OutboxJobs {
    /**
     * Detections of a business's monitored addresses from one commit; those of unknown tokens are in jobs of
     * their own.
     */
    monitoring: {
      businessId: string
      detectionIds: string[]
      reason: DetectionChange
      unknownTokens: boolean
    }
    /** An addition to store. */
    additions: { additionId: string }
  }
}
declare module '../watches/purposes.ts' {
  interface WatchPurposes {
    monitor: true
  }
}

/** Addresses that a business monitors, and the transactions of theirs. */
export const monitoring: Capability = {
  name: 'monitoring',
  routes: { shared: async () => (await import('./routes.ts')).monitoringRoutes },
  events: [
    {
      topic: 'transaction',
      label: 'Transactions',
      hint: 'Each movement, of payments and of monitored addresses.',
      types,
    },
  ],
  failpoints: { incoming },
  settings: monitoringSettings,
  async startApi({ settings }) {
    const { BULK_CALLS_AT_ONCE, MONITORING_IMPORT_BLOCKS } = settings(monitoringSettings.api)
    return { bulkCallsAtOnce: BULK_CALLS_AT_ONCE, importBlocks: MONITORING_IMPORT_BLOCKS }
  },
  watches: {
    monitor: {
      sees: 'transfers',
      lasts: true,
      publish: async (...given) => (await import('./publishMonitored.ts')).publishMonitored(...given),
    },
  },
  queues: {
    monitoring: {
      source: 'outbox',
      direct: true,
      start: async (ctx) => (await import('./monitoringWorker.ts')).monitoringWorker(ctx),
    },
    additions: {
      source: 'outbox',
      // An addition holds one connection and needs a second.
      concurrency: () => 1,
      start: async (ctx) => (await import('./additionsWorker.ts')).additionsWorker(ctx),
      onDead: async (tx) => (await import('./additions.ts')).failDeadAdditions(tx),
    },
  },
  maintenance: [
    async ({ db }) => (await import('./foldMonitoredCounts.ts')).foldMonitoredCounts(db),
    async ({ db }) => (await import('./additions.ts')).failDeadAdditions(db),
    async ({ db }) => (await import('./additions.ts')).forgetAdditions(db),
  ],
}
