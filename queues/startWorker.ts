import { type Processor, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { requireMigrated } from '../migrations/migrated.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { lazyConnections } from '../src/chains/lazyConnections.ts'
import { createProviderMetrics } from '../src/chains/providers/observe.ts'
import { ConfigError, readConfigOf } from '../src/platform/config.ts'
import { warnOfRights } from '../src/platform/databaseRights.ts'
import { openDb, timesOf } from '../src/platform/db.ts'
import { type QueueName, queueNames } from '../src/platform/jobs.ts'
import { listenForNotifications } from '../src/platform/notifications.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { openRedis, requireNoEviction } from '../src/platform/redis.ts'
import { createBell } from '../src/platform/wait.ts'
import { transferPurpose } from '../src/transfers/transferPurpose.ts'
import { createProver } from '../src/txmgr/proof.ts'
import { sendingChains } from '../src/txmgr/sendingChains.ts'
import { createTxManagerMetrics } from '../src/txmgr/txManagerMetrics.ts'
import { createBulkhead } from '../src/webhooks/bulkhead.ts'
import { createEgress } from '../src/webhooks/egress.ts'
import { createSignals } from '../src/webhooks/signals.ts'
import { countFailure } from './countFailure.ts'
import { startMail } from './mail.ts'
import { runMaintenance } from './maintenance.ts'
import { createQueueMetrics } from './queueMetrics.ts'
import { createNamedEndpoints, runRelay } from './relay.ts'
import { additionsWorker } from './workers/additions.ts'
import { monitoringWorker } from './workers/monitoring.ts'
import { sessionPaymentWorker } from './workers/sessionPayment.ts'
import { suspenseWorker } from './workers/suspense.ts'
import { txmgrWorker } from './workers/txmgr.ts'
import { webhookDeliveryWorker } from './workers/webhookDelivery.ts'

/**
 * Starts the relay, and the workers of these queues.
 * @throws ConfigError for an unknown queue name
 */
export async function startWorker(
  { log, metrics, onStop, readyWhen, stopping }: ProcessContext,
  asked: readonly string[] = queueNames,
): Promise<void> {
  const config = readConfigOf('worker', [
    'APP_KEY',
    'BASE_URL',
    'BULK_CALLS_AT_ONCE',
    'CAP_DELIVERIES_PER_HOST',
    'CAP_MONITORED_ADDRESSES',
    'DATABASE_DIRECT_URL',
    'DATABASE_POOL',
    'DATABASE_STATEMENT_MS',
    'DATABASE_URL',
    'DATABASE_WAIT_MS',
    'ENVIRONMENT',
    'MAIL_FROM',
    'MAIL_RETRY_SECONDS',
    'TXMGR_UNMINABLE_MS',
    'TXMGR_RECONCILE_MS',
    'TXMGR_BUMP_AFTER_MS',
    'QUEUE_PREFIX',
    'REDIS_URL',
    'RELAY_POLL_MS',
    'RELAY_RETRY_MS',
    'RPC_TIMEOUT_MS',
    'INDEXER_CROSS_CHECK_MS',
    'SMTP_URL',
    'WEBHOOK_ALLOW_HOSTS',
    'WEBHOOK_ENDPOINTS_AT_ONCE',
    'WEBHOOK_IN_FLIGHT',
    'WEBHOOK_PAUSE_AFTER_SECONDS',
    'WEBHOOK_PROXY_URL',
    'WEBHOOK_RETENTION_DAYS',
    'WEBHOOK_RETRY_SECONDS',
    'WEBHOOK_TIMEOUT_MS',
    'WORKER_CONCURRENCY',
    'WORKER_INTENT_KEY',
    'WORKER_STALLED_MS',
  ])
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const unknown = asked.filter((name) => !queueNames.includes(name as QueueName))
  if (unknown.length > 0) throw new ConfigError(`Unknown queue: ${unknown.join(', ')}. Queues: ${queueNames.join(', ')}`)
  const names = asked as readonly QueueName[]

  // At least two: the progress of an addition is written outside its transaction.
  const db = openDb(config.DATABASE_URL, Math.max(2, config.DATABASE_POOL), timesOf(config))
  onStop(() => db.close())
  await requireMigrated(db)
  await warnOfRights(db, log)
  const redis = openRedis(config.REDIS_URL, log)
  onStop(async () => redis.disconnect())
  await requireNoEviction(redis)
  readyWhen({ name: 'database', check: async () => void (await db.query('select 1')) })
  readyWhen({ name: 'redis', check: async () => void (await redis.ping()) })

  const queues = {
    'session-payment': openQueue('session-payment', redis, config.QUEUE_PREFIX),
    monitoring: openQueue('monitoring', redis, config.QUEUE_PREFIX),
    additions: openQueue('additions', redis, config.QUEUE_PREFIX),
    suspense: openQueue('suspense', redis, config.QUEUE_PREFIX),
    txmgr: openQueue('txmgr', redis, config.QUEUE_PREFIX),
    'webhook-delivery': openQueue('webhook-delivery', redis, config.QUEUE_PREFIX),
  }
  onStop(async () => void (await Promise.all(Object.values(queues).map((queue) => queue.close()))))
  // Failing endpoints hold at most a quarter of the places.
  const bulkhead = createBulkhead(Math.max(1, Math.floor(config.WEBHOOK_ENDPOINTS_AT_ONCE / 4)))
  const signals = createSignals()
  const queueMetrics = createQueueMetrics(metrics, { db, queues, bulkhead })

  const egress = createEgress({ allow: config.WEBHOOK_ALLOW_HOSTS, proxyUrl: config.WEBHOOK_PROXY_URL ?? null, timeoutMs: config.WEBHOOK_TIMEOUT_MS })
  onStop(() => egress.close())
  const observerOf = createProviderMetrics(metrics)
  const connections = lazyConnections(chains, (chain) =>
    connectChain(chain, { timeoutMs: config.RPC_TIMEOUT_MS, crossCheckMs: config.INDEXER_CROSS_CHECK_MS, observe: observerOf(chain.name), log }),
  )
  onStop(() => connections.close())
  const deliveries = webhookDeliveryWorker(
    {
      db,
      log,
      appKey: config.APP_KEY,
      dispatcher: egress.dispatcher,
      timeoutMs: config.WEBHOOK_TIMEOUT_MS,
      inFlight: config.WEBHOOK_IN_FLIGHT,
      hostInFlight: config.CAP_DELIVERIES_PER_HOST,
      schedule: config.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
      pauseAfterMs: config.WEBHOOK_PAUSE_AFTER_SECONDS * 1000,
      stepMs: 1000,
      bulkhead,
      signals,
      observe: queueMetrics.deliveries,
    },
    stopping,
  )
  const processors: Record<QueueName, Processor> = {
    txmgr: txmgrWorker({
      db,
      log,
      sendingChain: sendingChains(chains, connections.of),
      purposes: [transferPurpose],
      prover: createProver(config.WORKER_INTENT_KEY),
      reconcileMs: config.TXMGR_RECONCILE_MS ?? null,
      bumpAfterMs: config.TXMGR_BUMP_AFTER_MS ?? null,
      unminableMs: config.TXMGR_UNMINABLE_MS,
      environment: config.ENVIRONMENT,
      observe: createTxManagerMetrics(metrics, chains),
    }),
    'session-payment': sessionPaymentWorker({ db, chains, log }),
    monitoring: monitoringWorker({ db, chains, connectionOf: connections.of, log }),
    additions: additionsWorker({
      db,
      log,
      caps: { monitoredAddresses: config.CAP_MONITORED_ADDRESSES },
      bulkCallsAtOnce: config.BULK_CALLS_AT_ONCE,
    }),
    suspense: suspenseWorker({ db, log }),
    'webhook-delivery': deliveries.process,
  }

  const bell = createBell()
  const named = createNamedEndpoints()
  const notifications = listenForNotifications(
    config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    ['cowry_outbox', 'cowry_deliveries', 'cowry_intents'],
    (channel, payload) => {
      if (channel === 'cowry_deliveries') {
        named.note(payload)
        if (payload) signals.ring(payload)
      }
      bell.ring()
    },
    log,
    stopping,
  )
  const relay = runRelay({
    db,
    queues,
    log,
    bell,
    named,
    pollMs: config.RELAY_POLL_MS,
    retryMs: config.RELAY_RETRY_MS,
    relayed: queueMetrics.relayed,
    signal: stopping,
  })
  const maintenance = runMaintenance({ db, log, retentionDays: config.WEBHOOK_RETENTION_DAYS }, stopping)
  const mail = startMail({ db, log, metrics }, config, stopping)
  onStop(async () => {
    await mail
    await relay
    await notifications
    await maintenance
  })

  const workers = names.map((name) => {
    const worker = new Worker(name, processors[name], {
      connection: redis.duplicate(),
      prefix: config.QUEUE_PREFIX,
      concurrency: concurrencyOf(name, config),
      stalledInterval: config.WORKER_STALLED_MS,
      lockDuration: config.WORKER_STALLED_MS * 2,
      // A stalled job is only a lost hint: its row brings it back, however often it stalls.
      maxStalledCount: 1000,
    })
    worker.on('failed', (job, error) => {
      queueMetrics.failed(name)
      log.error({ queue: name, job: job?.id, err: error }, 'a job failed')
    })
    worker.on('failed', countFailure(db))
    worker.on('error', (error) => log.warn({ queue: name, err: error.message }, 'worker'))
    worker.on('completed', () => queueMetrics.completed(name))
    return worker
  })
  // `close` waits for running jobs; the process exits by force if that takes too long.
  onStop(async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await deliveries.drain()
  })
}

function concurrencyOf(name: QueueName, config: { WEBHOOK_ENDPOINTS_AT_ONCE: number; WORKER_CONCURRENCY: number }): number {
  // A delivery only waits for its receiver: many hanging endpoints must not delay a healthy one.
  if (name === 'webhook-delivery') return config.WEBHOOK_ENDPOINTS_AT_ONCE
  // An addition holds one connection and needs a second.
  return name === 'additions' ? 1 : config.WORKER_CONCURRENCY
}

function openQueue(name: QueueName, connection: Redis, prefix: string): Queue {
  return new Queue(name, {
    connection,
    prefix,
    defaultJobOptions: { removeOnComplete: { age: 3600, count: 1000 }, removeOnFail: { age: 24 * 3600, count: 5000 } },
  })
}
