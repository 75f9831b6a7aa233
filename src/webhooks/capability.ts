import type { Capability } from '../capability.ts'
import { sealedColumns } from './sealedColumns.ts'
import { deliverySettings, endpointSettings } from './settings.ts'

const types = {
  'endpoint.paused': 'Cowry paused an endpoint.',
  'endpoint.recovered': 'An endpoint that failed takes events again.',
  'endpoint.test': 'The test that you send from its page.',
}
const deliveryTypes = { 'delivery.failed': 'Deliveries to an endpoint were given up.' }
const incoming = [
  'webhook-delivery.woken',
  'webhook-delivery.claimed',
  'webhook-delivery.sent',
  'webhook-delivery.recorded',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types | keyof typeof deliveryTypes, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof incoming)[number], 'incoming'> {}
}
declare module '../platform/jobs.ts' {
  interface RowJobs {
    /** An endpoint with deliveries due. */
    'webhook-delivery': { endpointId: string }
  }
}

/** Endpoints, and the deliveries of events to them. */
export const webhooks: Capability = {
  name: 'webhooks',
  sealed: sealedColumns,
  routes: {
    shared: async () => (await import('./routes.ts')).webhookRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).webhookDashboardRoutes,
  },
  events: [
    { topic: 'endpoint', label: 'Endpoints', hint: 'Webhooks themselves.', types },
    {
      topic: 'delivery',
      label: 'Deliveries',
      hint: 'Of webhooks to your other endpoints.',
      types: deliveryTypes,
    },
  ],
  failpoints: { incoming },
  settings: { api: endpointSettings, worker: deliverySettings },
  queues: {
    'webhook-delivery': {
      source: 'rows',
      channel: 'cowry_deliveries',
      namesDue: true,
      enqueued: 'webhook-delivery.woken',
      due: async (db) => (await import('./dueEndpoints.ts')).dueEndpoints(db),
      job: (endpointId) => ({ payload: { endpointId }, deduplicationId: `endpoint-${endpointId}` }),
      // A delivery only waits for its receiver: many hanging endpoints must not delay a healthy one.
      concurrency: ({ settings }) => settings(deliverySettings).WEBHOOK_ENDPOINTS_AT_ONCE,
      start: async (ctx) => (await import('./startDeliveries.ts')).startDeliveries(ctx),
    },
  },
  startApi: async ({ settings }) => ({ allowHosts: settings(endpointSettings).WEBHOOK_ALLOW_HOSTS }),
  startWorker: async ({ metrics, db, settings }) =>
    (await import('./weekMetrics.ts')).createWeekMetrics(
      metrics,
      db,
      settings(deliverySettings).WEBHOOK_RETENTION_DAYS,
    ),
  maintenance: [
    async ({ db, log, settings }) =>
      (await import('./maintain.ts')).maintain({
        db,
        log,
        retentionDays: settings(deliverySettings).WEBHOOK_RETENTION_DAYS,
      }),
  ],
}
