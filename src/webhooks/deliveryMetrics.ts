import type { Db } from '../platform/database/db.ts'
import { labelSets } from '../platform/telemetry/labelSets.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import type { Bulkhead } from './bulkhead.ts'
import type { DeliveryContext } from './deliverDue.ts'
import { deliveryState } from './dueEndpoints.ts'
import { pausedReasons } from './listEndpoints.ts'

/** Metrics of attempts and deliveries. Gauges are read at each scrape. */
export function createDeliveryMetrics(
  metrics: Metrics,
  ctx: { db: Db; bulkhead: Bulkhead },
): DeliveryContext['observe'] {
  const attempts = metrics.counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['outcome'])
  const deliveries = metrics.counter('webhook_deliveries_total', 'Deliveries that were made or given up', [
    'outcome',
  ])
  const seconds = metrics.histogram(
    'webhook_attempt_seconds',
    'Duration of attempts',
    ['outcome'],
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  )
  for (const outcome of ['delivered', 'failed', 'gone', 'unsendable']) {
    attempts.inc({ outcome }, 0)
    seconds.zero({ outcome })
  }
  for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0)
  const state = shared(() => deliveryState(ctx.db))
  metrics.collected('webhook_deliveries_pending', 'Deliveries neither made nor given up', [], async (gauge) =>
    gauge.set((await state()).pending),
  )
  metrics.collected(
    'webhook_delivery_oldest_due_seconds',
    'How long the delivery due for longest has waited',
    [],
    async (gauge) => gauge.set((await state()).oldestDueSeconds),
  )
  metrics.collected('webhook_endpoints_paused', 'Paused webhook endpoints', ['reason'], async (gauge) => {
    gauge.resetTo(labelSets({ reason: pausedReasons }))
    for (const { reason, endpoints } of (await state()).paused) gauge.set({ reason }, endpoints)
  })
  metrics.collected(
    'webhook_lost_types',
    'Event types, each of one endpoint, with deliveries given up since the last success of the type',
    [],
    async (gauge) => gauge.set((await state()).lostTypes),
  )
  metrics.collected(
    'webhook_stray_rows',
    'Events, deliveries and attempts outside every weekly partition: should be 0',
    [],
    async (gauge) => gauge.set((await state()).strayRows),
  )
  metrics.collected(
    'webhook_troubled_places_used',
    'Bulkhead places of this worker that failing endpoints hold',
    [],
    (gauge) => gauge.set(ctx.bulkhead.used()),
  )
  return {
    attempted: (outcome, duration, trace) => {
      attempts.inc({ outcome })
      seconds.observe({ outcome }, duration, trace)
    },
    ended: (outcome, count) => deliveries.inc({ outcome }, count),
  }
}
