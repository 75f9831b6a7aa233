import type { Queue } from 'bullmq'
import type { Db } from '../src/platform/db.ts'
import { outboxQueues, type QueueName } from '../src/platform/jobs.ts'
import { type Metrics, shared } from '../src/platform/metrics.ts'
import { type OutboxState, outboxState } from '../src/platform/outbox.ts'
import { suspenseState } from '../src/suspense/suspenseState.ts'
import { deliveryBacklog } from '../src/webhooks/dueEndpoints.ts'

export interface QueueMetrics {
  relayed(queue: string, jobs: number): void
  completed(queue: QueueName): void
  failed(queue: QueueName): void
  delivered(outcome: string, seconds: number): void
}

/** What a worker tells about queues, outbox and deliveries. Depths and ages are read when they are asked for. */
export function createQueueMetrics(metrics: Metrics, ctx: { db: Db; queues: Record<QueueName, Queue> }): QueueMetrics {
  const relayed = metrics.counter('jobs_relayed_total', 'Jobs that the relay published', ['queue'])
  const done = metrics.counter('jobs_total', 'Jobs that a worker ended', ['queue', 'outcome'])
  const deliveries = metrics.counter('webhook_attempts_total', 'Attempts to deliver a webhook', ['outcome'])
  const seconds = metrics.histogram('webhook_attempt_seconds', 'Duration of attempts', ['outcome'], [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15])
  for (const outcome of ['delivered', 'failed', 'gone']) deliveries.inc({ outcome }, 0)

  metrics.gauge('queue_depth', 'Jobs that wait', ['queue'], async (gauge) => {
    for (const [name, queue] of entriesOf(ctx.queues)) gauge.set({ queue: name }, await queue.getJobCountByTypes('waiting', 'delayed', 'prioritized'))
  })
  metrics.gauge('queue_oldest_age_seconds', 'Age of the job that has waited longest', ['queue'], async (gauge) => {
    for (const [name, queue] of entriesOf(ctx.queues)) {
      const [oldest] = await queue.getJobs(['waiting'], 0, 0, true)
      gauge.set({ queue: name }, oldest ? Math.max(0, (Date.now() - oldest.timestamp) / 1000) : 0)
    }
  })
  const outbox = shared(() => outboxState(ctx.db))
  const outboxGauge = (name: string, help: string, of: (state: OutboxState) => number) =>
    metrics.gauge(name, help, ['queue'], async (gauge) => {
      const states = await outbox()
      for (const queue of outboxQueues) {
        const state = states.find((each) => each.queue === queue)
        gauge.set({ queue }, state ? of(state) : 0)
      }
    })
  outboxGauge('outbox_dead_rows', 'Jobs that were given up', (state) => state.dead)
  outboxGauge('outbox_waiting_rows', 'Jobs whose effect is not stored yet', (state) => state.waiting)
  outboxGauge('outbox_oldest_age_seconds', 'Age of the oldest row whose effect is not stored yet', (state) => state.oldestSeconds)
  metrics.gauge(
    'suspense_payments',
    'Payments that name no deposit and wait for somebody to say whose they are',
    ['chain', 'token'],
    async (gauge) => {
      gauge.reset()
      for (const { chain, token, payments } of await suspenseState(ctx.db)) gauge.set({ chain, token }, payments)
    },
  )
  const backlog = shared(() => deliveryBacklog(ctx.db))
  metrics.gauge('webhook_deliveries_pending', 'Deliveries that are neither delivered nor given up', [], async (gauge) =>
    gauge.set((await backlog()).pending),
  )
  metrics.gauge('webhook_delivery_oldest_due_seconds', 'How long the delivery that is due longest has waited', [], async (gauge) =>
    gauge.set((await backlog()).oldestDueSeconds),
  )

  return {
    relayed: (queue, jobs) => relayed.inc({ queue }, jobs),
    completed: (queue) => done.inc({ queue, outcome: 'completed' }),
    failed: (queue) => done.inc({ queue, outcome: 'failed' }),
    delivered: (outcome, duration) => {
      deliveries.inc({ outcome })
      seconds.observe({ outcome }, duration)
    },
  }
}

const entriesOf = (queues: Record<QueueName, Queue>) => Object.entries(queues) as [QueueName, Queue][]
