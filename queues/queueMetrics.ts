import type { Queue } from 'bullmq'
import type { Db } from '../src/platform/db.ts'
import { outboxQueues, type QueueName } from '../src/platform/jobs.ts'
import { type Metrics, shared } from '../src/platform/metrics.ts'
import { type OutboxState, outboxState } from '../src/platform/outbox.ts'
import { suspenseState } from '../src/suspense/suspenseState.ts'
import { countUnsettled, type UnsettledCount } from '../src/txmgr/dueIntents.ts'
import { readPauses } from '../src/txmgr/pause.ts'
import { isRestored } from '../src/txmgr/restored.ts'
import type { Bulkhead } from '../src/webhooks/bulkhead.ts'
import type { DeliveryContext } from '../src/webhooks/deliverDue.ts'
import { deliveryState } from '../src/webhooks/dueEndpoints.ts'

export interface QueueMetrics {
  relayed(queue: string, jobs: number): void
  completed(queue: QueueName): void
  failed(queue: QueueName): void
  deliveries: DeliveryContext['observe']
}

/** Metrics of queues, outbox and deliveries. Depths and ages are read at each scrape. */
export function createQueueMetrics(metrics: Metrics, ctx: { db: Db; queues: Record<QueueName, Queue>; bulkhead: Bulkhead }): QueueMetrics {
  const relayed = metrics.counter('jobs_relayed_total', 'Jobs that the relay published', ['queue'])
  const done = metrics.counter('jobs_total', 'Jobs that a worker completed or failed', ['queue', 'outcome'])
  const attempts = metrics.counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['outcome'])
  const deliveries = metrics.counter('webhook_deliveries_total', 'Deliveries that were made or given up', ['outcome'])
  const seconds = metrics.histogram('webhook_attempt_seconds', 'Duration of attempts', ['outcome'], [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15])
  for (const outcome of ['delivered', 'failed', 'gone', 'unsendable']) attempts.inc({ outcome }, 0)
  for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0)

  metrics.collected('queue_depth', 'Jobs waiting', ['queue'], async (gauge) => {
    for (const [name, queue] of entriesOf(ctx.queues)) gauge.set({ queue: name }, await queue.getJobCountByTypes('waiting', 'delayed', 'prioritized'))
  })
  metrics.collected('queue_oldest_age_seconds', 'Age of the job that has waited longest', ['queue'], async (gauge) => {
    for (const [name, queue] of entriesOf(ctx.queues)) {
      const [oldest] = await queue.getJobs(['waiting'], 0, 0, true)
      gauge.set({ queue: name }, oldest ? Math.max(0, (Date.now() - oldest.timestamp) / 1000) : 0)
    }
  })
  const outbox = shared(() => outboxState(ctx.db))
  const outboxGauge = (name: string, help: string, of: (state: OutboxState) => number) =>
    metrics.collected(name, help, ['queue'], async (gauge) => {
      const states = await outbox()
      for (const queue of outboxQueues) {
        const state = states.find((each) => each.queue === queue)
        gauge.set({ queue }, state ? of(state) : 0)
      }
    })
  outboxGauge('outbox_dead_rows', 'Jobs that were given up', (state) => state.dead)
  outboxGauge('outbox_waiting_rows', 'Jobs whose effect is not stored yet', (state) => state.waiting)
  outboxGauge('outbox_oldest_age_seconds', 'Age of the oldest row whose effect is not stored yet', (state) => state.oldestSeconds)
  metrics.collected(
    'suspense_payments',
    'Payments that name no session and wait for a decision of the operator',
    ['chain', 'token'],
    async (gauge) => {
      gauge.reset()
      for (const { chain, token, payments } of await suspenseState(ctx.db)) gauge.set({ chain, token }, payments)
    },
  )
  const unsettled = shared(() => countUnsettled(ctx.db))
  const intentGauge = (name: string, help: string, of: (state: UnsettledCount) => number) =>
    metrics.collected(name, help, ['chain', 'status'], async (gauge) => {
      gauge.reset()
      for (const state of await unsettled()) gauge.set({ chain: state.chain, status: state.status }, of(state))
    })
  intentGauge('intents_unsettled', 'Intents that are not settled', (state) => state.count)
  intentGauge('intents_oldest_age_seconds', 'Age of the oldest intent that is not settled', (state) => state.seconds)
  metrics.collected('txmgr_paused', 'Chains that the operator has paused', ['chain'], async (gauge) => {
    gauge.reset()
    for (const { chain } of await readPauses(ctx.db)) gauge.set({ chain }, 1)
  })
  metrics.collected('txmgr_restored', '1 while nothing is signed or sent because the database was restored', [], async (gauge) =>
    gauge.set((await isRestored(ctx.db)) ? 1 : 0),
  )
  const state = shared(() => deliveryState(ctx.db))
  metrics.collected('webhook_deliveries_pending', 'Deliveries neither made nor given up', [], async (gauge) => gauge.set((await state()).pending))
  metrics.collected('webhook_delivery_oldest_due_seconds', 'How long the delivery due for longest has waited', [], async (gauge) =>
    gauge.set((await state()).oldestDueSeconds),
  )
  metrics.collected('webhook_endpoints_paused', 'Paused webhook endpoints', ['reason'], async (gauge) => {
    gauge.reset()
    for (const { reason, endpoints } of (await state()).paused) gauge.set({ reason }, endpoints)
  })
  metrics.collected('webhook_stray_rows', 'Events, deliveries and attempts outside every weekly partition: should be 0', [], async (gauge) =>
    gauge.set((await state()).strayRows),
  )
  metrics.collected('webhook_troubled_places_used', 'Bulkhead places of this worker that failing endpoints hold', [], (gauge) =>
    gauge.set(ctx.bulkhead.used()),
  )

  return {
    relayed: (queue, jobs) => relayed.inc({ queue }, jobs),
    completed: (queue) => done.inc({ queue, outcome: 'completed' }),
    failed: (queue) => done.inc({ queue, outcome: 'failed' }),
    deliveries: {
      attempted: (outcome, duration) => {
        attempts.inc({ outcome })
        seconds.observe({ outcome }, duration)
      },
      ended: (outcome, count) => deliveries.inc({ outcome }, count),
    },
  }
}

const entriesOf = (queues: Record<QueueName, Queue>) => Object.entries(queues) as [QueueName, Queue][]
