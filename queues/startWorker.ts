import {
  capabilities,
  intentPurposes,
  maintenanceTasks,
  outflowEventSources,
  queueNames,
  settingsOf,
} from '../src/capabilities.ts'
import type { WorkerContext } from '../src/capability.ts'
import { connectChains } from '../src/chains/connectChains.ts'
import { createProver } from '../src/custody/proof.ts'
import { createOutflowEvents } from '../src/outflows/outflowEvents.ts'
import { appKeyOf } from '../src/platform/appKey.ts'
import { ConfigError, readConfigOf, readSettings } from '../src/platform/config.ts'
import { openDirect, timesOf } from '../src/platform/database/db.ts'
import type { QueueName } from '../src/platform/jobs.ts'
import type { ProcessContext } from '../src/platform/process.ts'
import { processVariables } from '../src/platform/processVariables.ts'
import { txmgrSettings } from '../src/txmgr/settings.ts'
import { startHandlers } from './handlers.ts'
import { runMaintenance } from './maintenance.ts'
import { openQueues } from './openQueues.ts'
import { openStores } from './openStores.ts'
import { openPartners } from './partners.ts'
import { createQueueMetrics } from './queueMetrics.ts'
import { reportQueues } from './reportQueues.ts'
import { startRelay } from './startRelay.ts'
import { takeJobs } from './takeJobs.ts'

/**
 * Starts the relay, what capabilities run in every worker, and the workers of these queues.
 * @throws ConfigError for an unknown queue name
 */
export async function startWorker(
  context: ProcessContext,
  asked: readonly string[] = queueNames,
): Promise<void> {
  const { log, metrics, onStop, stopping } = context
  const config = readConfigOf('worker', processVariables.worker, process.env, settingsOf('worker'))
  const { chains, connectionOf } = connectChains(context, config)
  const unknown = asked.filter((name) => !queueNames.includes(name as QueueName))
  if (unknown.length > 0)
    throw new ConfigError(`Unknown queue: ${unknown.join(', ')}. Queues: ${queueNames.join(', ')}`)

  const { db, redis } = await openStores(context, config)
  const queues = openQueues(config, redis)
  onStop(async () => void (await Promise.all(Object.values(queues).map((queue) => queue.close()))))
  const queueMetrics = createQueueMetrics(metrics, { db, queues })
  const reports = reportQueues({ db, queues, log, signal: stopping })
  onStop(() => reports)

  const settings: WorkerContext['settings'] = (of) => readSettings('worker', of)
  const environment = config.ENVIRONMENT
  const appKey = appKeyOf(config)
  const ctx: WorkerContext = {
    db,
    log,
    metrics,
    chains,
    connectionOf,
    purposes: intentPurposes,
    prover: createProver(settings(txmgrSettings.worker).WORKER_INTENT_KEY),
    appKey,
    outflowEvents: createOutflowEvents(outflowEventSources, { appKey }),
    environment,
    baseUrl: config.BASE_URL,
    ...openPartners({ db, log, environment, settings }),
    pollMs: config.RELAY_POLL_MS,
    settings,
    onStop,
    stopping,
  }
  const handlers = await startHandlers(ctx)
  for (const capability of capabilities) await capability.startWorker?.(ctx)

  startRelay(context, config, { db, queues, queueMetrics, handlers, asked })
  const directUrl = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  const maintenance = runMaintenance(
    { ...ctx, openDirect: () => openDirect(directUrl, 'cowry maintenance', timesOf(config).waitMs) },
    maintenanceTasks,
  )
  onStop(() => maintenance)
  takeJobs(ctx, config, { redis, handlers, queueMetrics }, asked as readonly QueueName[])
}
