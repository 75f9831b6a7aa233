import type { OwnDb } from '../src/platform/database/db.ts'
import { listenForNotifications } from '../src/platform/database/notifications.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { createDirect, jobOf } from './direct.ts'
import { directHandlers, type Handlers } from './handlers.ts'
import type { Queues } from './openQueues.ts'
import type { WorkerConfig } from './openStores.ts'
import type { QueueMetrics } from './queueMetrics.ts'
import { announced, createNamed, runRelay } from './relay.ts'

interface RelayParts {
  db: OwnDb
  queues: Queues
  queueMetrics: QueueMetrics
  handlers: Handlers
  /** The queues that this worker takes jobs of. */
  asked: readonly string[]
}

/** Publishes due rows as jobs, or does their work here where that is short, until the process stops. */
export function startRelay(
  { log, onStop, stop, stopping }: ProcessContext,
  config: WorkerConfig,
  { db, queues, queueMetrics, handlers, asked }: RelayParts,
): void {
  const named = createNamed()
  const notifications = listenForNotifications(
    config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    announced.map(({ channel }) => channel),
    (channel, payload, backend) => {
      const isOwn = backend !== undefined && db.isOwn(backend)
      for (const { name, namesDue } of announced.filter((each) => each.channel === channel)) {
        const isInWork =
          name !== 'outbox' &&
          payload !== undefined &&
          handlers.get(name)?.notified?.(payload, isOwn && asked.includes(name))
        if (isInWork) continue
        named.get(name)?.note(namesDue ? payload : undefined)
      }
    },
    log,
    stopping,
  )
  // A pooler may stand before a database that was away at the start.
  notifications.catch(stop)
  const direct = createDirect({
    db,
    log,
    handlers: directHandlers(handlers, asked),
    places: config.WORKER_CONCURRENCY,
    retryMs: config.RELAY_RETRY_MS,
    publish: async (row) => {
      const { name, data, opts } = jobOf(row, 1, true)
      await queues[row.queue].add(name, data, opts)
      queueMetrics.relayed(row.queue, 1)
    },
    ended: (queue, outcome) => queueMetrics[outcome](queue),
  })
  const relay = runRelay({
    db,
    queues,
    direct,
    log,
    named,
    pollMs: config.RELAY_POLL_MS,
    retryMs: config.RELAY_RETRY_MS,
    relayed: queueMetrics.relayed,
    signal: stopping,
  })
  onStop(async () => {
    await relay
    await direct.drain()
    await notifications
  })
}
