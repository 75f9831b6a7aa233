import { type Processor, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { Agent } from 'undici'
import { requireMigrated } from '../migrations/migrator.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import { openDb } from '../src/platform/db.ts'
import { type QueueName, queueNames } from '../src/platform/jobs.ts'
import { outboxFailed } from '../src/platform/outbox.ts'
import { runProcess } from '../src/platform/process.ts'
import { openRedis, requireNoEviction } from '../src/platform/redis.ts'
import { createBell } from '../src/platform/wait.ts'
import { listenForNotifications } from './notifications.ts'
import { createQueueMetrics } from './queueMetrics.ts'
import { runRelay } from './relay.ts'
import { sessionPaymentWorker } from './workers/sessionPayment.ts'
import { suspenseWorker } from './workers/suspense.ts'
import { webhookDeliveryWorker } from './workers/webhookDelivery.ts'

// npm run worker -- [queue…]: works on these queues, on all of them when none is named. Every worker runs the relay.

await runProcess('worker', async ({ log, metrics, onStop, readyWhen, stopping }) => {
  const config = readConfig([
    'APP_KEY',
    'DATABASE_DIRECT_URL',
    'DATABASE_POOL',
    'DATABASE_URL',
    'QUEUE_PREFIX',
    'REDIS_URL',
    'RELAY_POLL_MS',
    'RELAY_RETRY_MS',
    'WEBHOOK_ENDPOINTS_AT_ONCE',
    'WEBHOOK_IN_FLIGHT',
    'WEBHOOK_TIMEOUT_MS',
    'WORKER_CONCURRENCY',
    'WORKER_STALLED_MS',
  ])
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !queueNames.includes(name as QueueName))
  if (unknown.length > 0) throw new ConfigError(`No such queue: ${unknown.join(', ')}. There are: ${queueNames.join(', ')}`)
  const names = asked.length > 0 ? (asked as QueueName[]) : queueNames

  const db = openDb(config.DATABASE_URL, config.DATABASE_POOL)
  onStop(() => db.close())
  await requireMigrated(db)
  const redis = openRedis(config.REDIS_URL, log)
  onStop(async () => redis.disconnect())
  await requireNoEviction(redis)
  readyWhen({ name: 'database', check: async () => void (await db.query('select 1')) })
  readyWhen({ name: 'redis', check: async () => void (await redis.ping()) })

  const queues = {
    'session-payment': openQueue('session-payment', redis, config.QUEUE_PREFIX),
    suspense: openQueue('suspense', redis, config.QUEUE_PREFIX),
    'webhook-delivery': openQueue('webhook-delivery', redis, config.QUEUE_PREFIX),
  }
  onStop(async () => void (await Promise.all(Object.values(queues).map((queue) => queue.close()))))
  const queueMetrics = createQueueMetrics(metrics, { db, queues })

  const dispatcher = new Agent({ connections: config.WEBHOOK_IN_FLIGHT, pipelining: 1, keepAliveTimeout: 10_000 })
  onStop(() => dispatcher.close())
  const processors: Record<QueueName, Processor> = {
    'session-payment': sessionPaymentWorker({ db, chains, log }),
    suspense: suspenseWorker({ db, log }),
    'webhook-delivery': webhookDeliveryWorker(
      {
        db,
        appKey: config.APP_KEY,
        dispatcher,
        timeoutMs: config.WEBHOOK_TIMEOUT_MS,
        inFlight: config.WEBHOOK_IN_FLIGHT,
        delivered: queueMetrics.delivered,
      },
      stopping,
    ),
  }

  const bell = createBell()
  const notifications = listenForNotifications(
    config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    ['cowry_outbox', 'cowry_deliveries'],
    () => bell.ring(),
    log,
    stopping,
  )
  const relay = runRelay({
    db,
    queues,
    log,
    bell,
    pollMs: config.RELAY_POLL_MS,
    retryMs: config.RELAY_RETRY_MS,
    relayed: queueMetrics.relayed,
    signal: stopping,
  })
  onStop(async () => {
    await relay
    await notifications
  })

  const workers = names.map((name) => {
    const worker = new Worker(name, processors[name], {
      connection: redis.duplicate(),
      prefix: config.QUEUE_PREFIX,
      // A delivery waits for its receiver and for nothing else: many hanging endpoints must not hold up a healthy one.
      concurrency: name === 'webhook-delivery' ? config.WEBHOOK_ENDPOINTS_AT_ONCE : config.WORKER_CONCURRENCY,
      stalledInterval: config.WORKER_STALLED_MS,
      lockDuration: config.WORKER_STALLED_MS * 2,
      // A job that stalls is only a hint that was lost; its row brings it back however often that happens.
      maxStalledCount: 1000,
    })
    worker.on('failed', (job, error) => {
      queueMetrics.failed(name)
      const outboxId = (job?.data as { outboxId?: string } | undefined)?.outboxId
      if (outboxId) void outboxFailed(db, outboxId, error.message).catch(() => {})
      log.error({ queue: name, job: job?.id, err: error }, 'a job failed')
    })
    worker.on('error', (error) => log.warn({ queue: name, err: error.message }, 'worker'))
    worker.on('completed', () => queueMetrics.completed(name))
    return worker
  })
  // `close` waits for the jobs in hand; the process is forced when that takes too long.
  onStop(async () => void (await Promise.all(workers.map((worker) => worker.close()))))
})

function openQueue(name: QueueName, connection: Redis, prefix: string): Queue {
  return new Queue(name, {
    connection,
    prefix,
    defaultJobOptions: { removeOnComplete: { age: 3600, count: 1000 }, removeOnFail: { age: 24 * 3600, count: 5000 } },
  })
}
