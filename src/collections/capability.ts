import type { Capability } from '../capability.ts'
import { enqueue } from '../platform/database/outbox.ts'
import { sealedColumns } from './sealedColumns.ts'

const types = {
  'collection.processing': 'The partner waits for the customer, or settles the money.',
  'collection.completed': 'The partner has settled it.',
  'collection.expired': 'The customer did not pay in time.',
  'collection.failed': 'It will not be settled.',
  'collection.refunded': 'The money went back to the customer.',
}
const collecting = [
  'api.collection-stored',
  'collections.enqueued',
  'collections.partner-claimed',
  'collections.partner-submitted',
  'collections.partner-answered',
  'collections.partner-followed',
  'collections.page-taken',
  'collections.synced',
  'collections.settled',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof collecting)[number], 'collecting'> {}
}
declare module '../platform/jobs.ts' {
  interface OutboxJobs {
    /** A wallet that collections are settled to: these detections have changed, or its collections have. */
    'collection-settlement': { walletId: string; detectionIds: string[] }
  }
  interface RowJobs {
    /** A collection to read from the partner. */
    'fiat-status-sync': { collectionId: string }
  }
}

declare module '../watches/purposes.ts' {
  interface WatchPurposes {
    collection: true
  }
}

/** Fiat that a partner collects from customers, and settles as crypto to a wallet. */
export const collections: Capability = {
  name: 'collections',
  sealed: sealedColumns,
  routes: {
    shared: async () => (await import('./routes.ts')).collectionRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).collectionDashboardRoutes,
  },
  events: [
    { topic: 'collection', label: 'Fiat collections', hint: 'The progress of a fiat collection.', types },
  ],
  failpoints: { collecting },
  tables: {
    fiat_collections: { api: 'select, insert, update', worker: 'select, update' },
    fiat_collection_counts: { api: 'select, insert', worker: 'select, insert, delete' },
    collection_wallets: { api: 'select, insert', worker: 'select' },
    collection_transfers: { worker: 'select, insert, update (collection_id)' },
    collection_syncs: { worker: 'select, insert, update' },
  },
  watches: {
    collection: {
      sees: 'payments',
      lasts: true,
      publish: (tx, detections) =>
        enqueue(
          tx,
          'collection-settlement',
          [...Map.groupBy(detections, ({ subjectId }) => subjectId)].map(([walletId, own]) => ({
            walletId,
            detectionIds: own.map(({ id }) => id),
          })),
        ),
    },
  },
  queues: {
    'collection-settlement': {
      source: 'outbox',
      start: async (ctx) => (await import('./settlementWorker.ts')).settlementWorker(ctx),
    },
    'fiat-status-sync': {
      source: 'rows',
      channel: 'cowry_collections',
      enqueued: 'collections.enqueued',
      due: async (db) => (await import('./dueCollections.ts')).dueCollections(db),
      job: (collectionId) => ({ payload: { collectionId }, deduplicationId: `collections-${collectionId}` }),
      start: async (ctx) => (await import('./collectionsWorker.ts')).collectionsWorker(ctx),
    },
  },
  startWorker: async (ctx) => (await import('./startSync.ts')).startSync(ctx),
  maintenance: [
    async ({ db }) => (await import('./foldCollectionCounts.ts')).foldCollectionCounts(db),
    async ({ db }) => (await import('./lateSettlements.ts')).enqueueLateSettlements(db),
  ],
}
