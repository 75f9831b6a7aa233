import type { Queue } from 'bullmq'
import { outboxQueues, queueNames } from '../src/capabilities.ts'
import type { Db } from '../src/platform/database/db.ts'
import { type OutboxState, outboxState } from '../src/platform/database/outbox.ts'
import type { QueueName } from '../src/platform/jobs.ts'
import { labelSets } from '../src/platform/telemetry/labelSets.ts'
import { type Metrics, shared } from '../src/platform/telemetry/metrics.ts'

export interface QueueMetrics {
  relayed(queue: string, jobs: number): void
  completed(queue: QueueName): void
  failed(queue: QueueName): void
}

/** Metrics of queues and of the outbox. Depths and ages are read at each scrape. */
export function createQueueMetrics(
  metrics: Metrics,
  ctx: { db: Db; queues: Record<QueueName, Queue> },
): QueueMetrics {
  const relayed = metrics.counter('jobs_relayed_total', 'Jobs that the relay published', ['queue'])
  const done = metrics.counter('jobs_total', 'Jobs that a worker completed or failed', ['queue', 'outcome'])
  for (const queue of queueNames) relayed.inc({ queue }, 0)
  for (const labels of labelSets({ queue: queueNames, outcome: ['completed', 'failed'] })) done.inc(labels, 0)

  metrics.collected('queue_depth', 'Jobs waiting', ['queue'], async (gauge) => {
    for (const [name, queue] of entriesOf(ctx.queues))
      gauge.set({ queue: name }, await queue.getJobCountByTypes('waiting', 'delayed', 'prioritized'))
  })
  metrics.collected(
    'queue_oldest_age_seconds',
    'Age of the job that has waited longest',
    ['queue'],
    async (gauge) => {
      for (const [name, queue] of entriesOf(ctx.queues)) {
        const [oldest] = await queue.getJobs(['waiting'], 0, 0, true)
        gauge.set({ queue: name }, oldest ? Math.max(0, (Date.now() - oldest.timestamp) / 1000) : 0)
      }
    },
  )
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
  outboxGauge(
    'outbox_oldest_age_seconds',
    'Age of the oldest row whose effect is not stored yet',
    (state) => state.oldestSeconds,
  )

  return {
    relayed: (queue, jobs) => relayed.inc({ queue }, jobs),
    completed: (queue) => done.inc({ queue, outcome: 'completed' }),
    failed: (queue) => done.inc({ queue, outcome: 'failed' }),
  }
}

const entriesOf = (queues: Record<QueueName, Queue>) => Object.entries(queues) as [QueueName, Queue][]
