import type { Capability } from '../capability.ts'
import { noopPurpose } from './noop.ts'
import { txmgrSettings } from './settings.ts'

const sending = [
  'treasury.transfer-opened',
  'treasury.transfer-signed',
  'txmgr.enqueued',
  'txmgr.planned',
  'txmgr.counted',
  'txmgr.sent',
  'txmgr.recorded',
  'txmgr.bumped',
  'txmgr.cancelled',
  'txmgr.filled',
  'txmgr.resigned',
  'txmgr.reconciled',
] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof sending)[number], 'sending'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    /** An intent due to be reconciled. */
    txmgr: { intentId: string }
  }
}

/** The transaction manager: plans, signs, sends and settles intents. */
export const txmgr: Capability = {
  name: 'txmgr',
  failpoints: { sending },
  settings: txmgrSettings,
  intents: [noopPurpose],
  queues: {
    txmgr: {
      source: 'rows',
      channel: 'cowry_intents',
      enqueued: 'txmgr.enqueued',
      due: async (db) => (await import('./dueIntents.ts')).dueIntents(db),
      job: (intentId) => ({ payload: { intentId }, deduplicationId: `txmgr-${intentId}` }),
      start: async (ctx) => (await import('./txmgrWorker.ts')).txmgrWorker(ctx),
    },
  },
  startApi: async (ctx) => (await import('./startSending.ts')).startSending(ctx),
  startWorker: async ({ metrics, db, chains }) =>
    (await import('./intentMetrics.ts')).createIntentMetrics(metrics, db, chains),
}
