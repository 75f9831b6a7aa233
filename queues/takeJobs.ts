import { Worker } from 'bullmq'
import { queueDefinitions } from '../src/capabilities.ts'
import type { WorkerContext } from '../src/capability.ts'
import type { QueueName } from '../src/platform/jobs.ts'
import { duplicateRedis, type RedisClient } from '../src/platform/redis/redis.ts'
import { countFailure } from './countFailure.ts'
import type { Handlers } from './handlers.ts'
import { prefixOf } from './openQueues.ts'
import type { WorkerConfig } from './openStores.ts'
import { type JobData, processJob } from './processJob.ts'
import type { QueueMetrics } from './queueMetrics.ts'

/** Takes jobs of these queues out of Redis until the process stops. */
export function takeJobs(
  ctx: WorkerContext,
  config: WorkerConfig,
  { redis, handlers, queueMetrics }: { redis: RedisClient; handlers: Handlers; queueMetrics: QueueMetrics },
  names: readonly QueueName[],
): void {
  const { db, log } = ctx
  const workers = names.map((name) => {
    const handler = handlers.get(name)
    const worker = new Worker(
      name,
      async (job) => processJob({ log }, name, handler, job.data as JobData, job.attemptsMade > 0),
      {
        connection: duplicateRedis(redis),
        prefix: prefixOf(config, name),
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
  ctx.onStop(async () => {
    await Promise.all(workers.map((worker) => worker.close()))
    await Promise.all([...handlers.values()].map((handler) => handler.drain?.()))
  })
}
