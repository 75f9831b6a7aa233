import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { createBulkhead } from './bulkhead.ts'
import { createDeliveryMetrics } from './deliveryMetrics.ts'
import { webhookDeliveryWorker } from './deliveryWorker.ts'
import { createEgress } from './egress.ts'
import { deliverySettings } from './settings.ts'
import { createSignals } from './signals.ts'

/** Pause between two attempts to claim deliveries of one endpoint. */
const stepMs = 1000

/**
 * Delivers in this worker: opens the way out, and at once to endpoints of events that this worker recorded.
 */
export function startDeliveries({
  db,
  log,
  metrics,
  appKey,
  settings,
  onStop,
  stopping,
}: WorkerContext): JobHandler<JobPayloads['webhook-delivery']> {
  const values = settings(deliverySettings)
  // Failing endpoints hold at most a quarter of the places.
  const bulkhead = createBulkhead(Math.max(1, Math.floor(values.WEBHOOK_ENDPOINTS_AT_ONCE / 4)))
  const egress = createEgress({
    allow: values.WEBHOOK_ALLOW_HOSTS,
    proxyUrl: values.WEBHOOK_PROXY_URL ?? null,
    timeoutMs: values.WEBHOOK_TIMEOUT_MS,
  })
  onStop(() => egress.close())
  const signals = createSignals()
  const ctx = {
    db,
    log,
    appKey,
    dispatcher: egress.dispatcher,
    timeoutMs: values.WEBHOOK_TIMEOUT_MS,
    inFlight: values.WEBHOOK_IN_FLIGHT,
    hostInFlight: values.CAP_DELIVERIES_PER_HOST,
    schedule: values.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
    pauseAfterMs: values.WEBHOOK_PAUSE_AFTER_SECONDS * 1000,
    stepMs,
    bulkhead,
    signals,
    observe: createDeliveryMetrics(metrics, { db, bulkhead }),
  }
  return webhookDeliveryWorker(ctx, stopping, values.WEBHOOK_ENDPOINTS_AT_ONCE)
}
