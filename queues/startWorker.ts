import { Queue, Worker } from 'bullmq'
import { requireMigrated } from '../migrations/migrated.ts'
import { bridgeWorkerSettings } from '../src/bridge/settings.ts'
import {
  capabilities,
  intentPurposes,
  maintenanceTasks,
  outflowEventSources,
  queueDefinitions,
  queueNames,
  settingsOf,
} from '../src/capabilities.ts'
import type { JobHandler, OutboxFed, RowFed, WorkerContext, WorkerPartner } from '../src/capability.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { connectChain } from '../src/chains/connect.ts'
import { lazyConnections } from '../src/chains/lazyConnections.ts'
import { createProviderMetrics } from '../src/chains/providers/observe.ts'
import { createProver } from '../src/custody/proof.ts'
import { createOutflowEvents } from '../src/outflows/outflowEvents.ts'
import { partnerPaymentSettings } from '../src/partnerPayments/settings.ts'
import { circleFrom } from '../src/partners/circle/client.ts'
import { createYellowCard } from '../src/partners/yellowcard/client.ts'
import { createCollectionPartner } from '../src/partners/yellowcard/collectionPartner.ts'
import { yellowCardFrom } from '../src/partners/yellowcard/fromSettings.ts'
import { createPaymentPartner } from '../src/partners/yellowcard/paymentPartner.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { ConfigError, readConfigOf, readSettings } from '../src/platform/config.ts'
import { warnOfRights } from '../src/platform/database/databaseRights.ts'
import {
  type Db,
  openDb,
  openDirect,
  refuseWrongAddress,
  requireWritable,
  timesOf,
} from '../src/platform/database/db.ts'
import { listenForNotifications } from '../src/platform/database/notifications.ts'
import type { OutboxQueue, QueueName } from '../src/platform/jobs.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import {
  duplicateRedis,
  openRedis,
  type RedisClient,
  requireNoEviction,
  requireRedis,
} from '../src/platform/redis/redis.ts'
import { redisMode } from '../src/platform/redis/redisTarget.ts'
import { queuePrefix } from '../src/platform/redis/redisUsers.ts'
import { refuseWrongCertificate } from '../src/platform/refuseWrongCertificate.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import { createRateBreaker } from '../src/pricing/rateBreaker.ts'
import { createRates } from '../src/pricing/rates.ts'
import { partnerSettings, rateLimitsOf } from '../src/pricing/settings.ts'
import { txmgrSettings } from '../src/txmgr/settings.ts'
import { countFailure } from './countFailure.ts'
import { createDirect, jobOf } from './direct.ts'
import { runMaintenance } from './maintenance.ts'
import { type JobData, processJob } from './processJob.ts'
import { createQueueMetrics } from './queueMetrics.ts'
import { announced, createNamed, runRelay } from './relay.ts'

type Handler = JobHandler<object>
type Definition = (OutboxFed<never> | RowFed<never>) & { start(ctx: WorkerContext): Promise<Handler> }

/**
 * Starts the relay, what capabilities run in every worker, and the workers of these queues.
 * @throws ConfigError for an unknown queue name
 */
export async function startWorker(
  { log, metrics, onStop, readyWhen, stop, stopping }: ProcessContext,
  asked: readonly string[] = queueNames,
): Promise<void> {
  const config = readConfigOf('worker', processVariables.worker, process.env, settingsOf('worker'))
  const { chains, mistakes } = configuredChains(process.env)
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'))
  const unknown = asked.filter((name) => !queueNames.includes(name as QueueName))
  if (unknown.length > 0)
    throw new ConfigError(`Unknown queue: ${unknown.join(', ')}. Queues: ${queueNames.join(', ')}`)

  // At least two: the progress of an addition is written outside its transaction.
  const db = openDb(config.DATABASE_URL, Math.max(2, config.DATABASE_POOL), timesOf(config))
  onStop(() => db.close())
  await refuseWrongAddress(config, timesOf(config).waitMs)
  await requireMigrated(db)
  await warnOfRights(db, log)
  await refuseWrongCertificate(config)
  const redis = openRedis(config, log)
  onStop(async () => redis.disconnect())
  await requireNoEviction(redis)
  readyWhen({ name: 'database', check: () => requireWritable(db) })
  readyWhen({ name: 'redis', check: () => requireRedis(redis) })

  const prefixOf = (name: QueueName) =>
    queuePrefix(config.QUEUE_PREFIX, name, redisMode(config) === 'cluster')
  const queues = Object.fromEntries(
    queueNames.map((name) => [name, openQueue(name, redis, prefixOf(name))]),
  ) as Record<QueueName, Queue>
  onStop(async () => void (await Promise.all(Object.values(queues).map((queue) => queue.close()))))
  const queueMetrics = createQueueMetrics(metrics, { db, queues })
  const observerOf = createProviderMetrics(metrics)
  const connections = lazyConnections(chains, (chain) =>
    connectChain(chain, {
      timeoutMs: config.RPC_TIMEOUT_MS,
      crossCheckMs: config.INDEXER_CROSS_CHECK_MS,
      observe: observerOf(chain.name),
      log,
    }),
  )
  onStop(() => connections.close())

  const appKey = appKeyOf(config)
  const ctx: WorkerContext = {
    db,
    log,
    metrics,
    chains,
    connectionOf: connections.of,
    purposes: intentPurposes,
    prover: createProver(readSettings('worker', txmgrSettings.worker).WORKER_INTENT_KEY),
    appKey,
    outflowEvents: createOutflowEvents(outflowEventSources, { appKey }),
    environment: config.ENVIRONMENT,
    baseUrl: config.BASE_URL,
    partner: partnerOf(db, log),
    attestations: circleFrom(readSettings('worker', bridgeWorkerSettings), config.ENVIRONMENT),
    pollMs: config.RELAY_POLL_MS,
    settings: (settings) => readSettings('worker', settings),
    onStop,
    stopping,
  }
  const handlers = new Map<QueueName, Handler>()
  for (const name of queueNames)
    handlers.set(name, await (queueDefinitions[name] as unknown as Definition).start(ctx))
  for (const capability of capabilities) await capability.startWorker?.(ctx)

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
    handlers: new Map(
      [...handlers].flatMap(([name, handler]) =>
        isDirect(name) && asked.includes(name) ? [[name, handler]] : [],
      ),
    ),
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
  const maintenance = runMaintenance(
    {
      ...ctx,
      openDirect: () =>
        openDirect(
          config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
          'cowry maintenance',
          timesOf(config).waitMs,
        ),
    },
    maintenanceTasks,
  )
  onStop(async () => {
    await relay
    await direct.drain()
    await notifications
    await maintenance
  })

  const workers = (asked as readonly QueueName[]).map((name) => {
    const handler = handlers.get(name)
    const worker = new Worker(
      name,
      async (job) => processJob({ log }, name, handler, job.data as JobData, job.attemptsMade > 0),
      {
        connection: duplicateRedis(redis),
        prefix: prefixOf(name),
        concurrency: queueDefinitions[name].concurrency?.(ctx) ?? config.WORKER_CONCURRENCY,
        stalledInterval: config.WORKER_STALLED_MS,
        lockDuration: config.WORKER_STALLED_MS * 2,
        // A stalled job is only a lost hint: its row brings it back, however often it stalls.
        maxStalledCount: 1000,
      },
    )
    worker.on('failed', (job, error) => {
      queueMetrics.failed(name)
      // Those of the outbox are named in the log with what they are done for.
      if (!(job?.data as JobData | undefined)?.outboxId)
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
    await Promise.all([...handlers.values()].map((handler) => handler.drain?.()))
  })
}

function isDirect(name: QueueName): name is OutboxQueue {
  const definition = queueDefinitions[name]
  return definition.source === 'outbox' && definition.direct === true
}

function openQueue(name: QueueName, connection: RedisClient, prefix: string): Queue {
  return new Queue(name, {
    connection,
    prefix,
    defaultJobOptions: {
      removeOnComplete: { age: 3600, count: 1000 },
      removeOnFail: { age: 24 * 3600, count: 5000 },
    },
  })
}

function partnerOf(db: Db, log: Log): WorkerPartner | null {
  const settings = {
    ...readSettings('worker', partnerSettings),
    ...readSettings('worker', partnerPaymentSettings),
  }
  const account = yellowCardFrom(settings)
  if (!account) return null
  const partner = createYellowCard(account)
  const breaker = createRateBreaker({ db, log, partner, limits: rateLimitsOf(settings) })
  const rates = createRates({ partner, breaker, log, maxAgeSeconds: settings.RATE_MAX_AGE_SECONDS })
  return { payments: createPaymentPartner(account), collections: createCollectionPartner(account), rates }
}
