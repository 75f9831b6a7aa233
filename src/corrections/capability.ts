import type { Capability } from '../capability.ts'
import { enqueue } from '../platform/database/outbox.ts'
import type { DetectionChange } from '../watches/purposes.ts'

const incoming = ['suspense.settled'] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof incoming)[number], 'incoming'> {}
}
declare module '../platform/jobs.ts' {
  interface OutboxJobs {
    /** A payment to an account of the platform that names no session. */
    suspense: { detectionId: string; reason: DetectionChange }
  }
}
declare module '../watches/purposes.ts' {
  interface WatchPurposes {
    suspense: true
  }
}

/** Payments that name no session, held until the operator decides. */
export const suspense: Capability = {
  name: 'suspense',
  failpoints: { incoming },
  watches: {
    suspense: {
      sees: 'payments',
      lasts: true,
      publish: (tx, detections, reason) =>
        enqueue(
          tx,
          'suspense',
          detections.map(({ id }) => ({ detectionId: id, reason })),
        ),
    },
  },
  queues: {
    suspense: {
      source: 'outbox',
      direct: true,
      start: async (ctx) => (await import('./suspenseWorker.ts')).suspenseWorker(ctx),
    },
  },
  startWorker: async ({ metrics, db, chains }) =>
    (await import('./suspenseMetrics.ts')).createSuspenseMetrics(metrics, db, chains),
}

/**
 * Adjustments of the books, and payments in suspense that are given to a business, booked as the operator's,
 * or go back: by two operators.
 */
export const adjustments: Capability = {
  name: 'adjustments',
  routes: {
    dashboard: async () => (await import('./dashboardRoutes.ts')).adjustmentDashboardRoutes,
  },
  tables: { ledger_adjustments: { api: 'select, insert, update (decision, decided_by, decided_at)' } },
}
