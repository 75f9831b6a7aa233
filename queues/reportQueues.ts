import type { Queue } from 'bullmq'
import { queueNames } from '../src/capabilities.ts'
import { type QueueCounts, storeQueueReports } from '../src/health/reportQueues.ts'
import { within } from '../src/health/within.ts'
import type { Db } from '../src/platform/database/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { QueueName } from '../src/platform/jobs.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { Log } from '../src/platform/telemetry/log.ts'

const everyMs = 10_000

interface Context {
  db: Db
  queues: Record<QueueName, Queue>
  log: Log
  signal: AbortSignal
}

/** Reports the queues to operators until `signal` is aborted: the api has no right to read them. */
export function reportQueues({ db, queues, log, signal }: Context): Promise<void> {
  let counting: Promise<QueueCounts[]> | null = null
  // Commands wait while Redis is away: no more of them are sent until it has answered.
  const count = () => {
    counting ??= Promise.all(queueNames.map((name) => countsOf(queues[name]))).finally(() => {
      counting = null
    })
    return counting
  }
  const failed = (error: unknown): void =>
    log.warn({ err: messageOf(error) }, 'the state of the queues could not be reported')
  return repeat(signal, { everyMs, failed }, async () =>
    storeQueueReports(db, queueNames, await within(count())),
  )
}

async function countsOf(queue: Queue): Promise<QueueCounts> {
  const [counts, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, 0, true),
  ])
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts
  return {
    waiting: waiting + prioritized,
    active,
    delayed,
    failed,
    oldestAt: oldest ? new Date(oldest.timestamp) : null,
  }
}
