import type { Queryable } from '../platform/database/db.ts'
import { outboxState } from '../platform/database/outbox.ts'

export interface QueueHealth {
  queue: string
  /** In Redis; null: it did not answer the worker, or no worker reports. */
  jobs: { waiting: number; active: number; delayed: number; failed: number } | null
  /** Since when the oldest job waits in Redis, or its row in the database. */
  oldestAt: string | null
  /** Rows of the outbox whose effect is not stored yet; null: the queue has rows of its own. */
  unfinished: number | null
  /** Since when the oldest of these waits; null: none does. */
  unfinishedSince: string | null
  dead: number
}

export interface QueuesHealth {
  /** As a worker saw it; `unknown`: no worker reports. */
  redis: 'ok' | 'no_answer' | 'unknown'
  reportedAt: string | null
  queues: QueueHealth[]
}

interface Row {
  queue: string
  waiting: number | null
  active: number | null
  delayed: number | null
  failed: number | null
  oldestAt: Date | null
  reportedAt: Date
  isFresh: boolean
}

/** Workers report every 10 seconds. */
const freshSeconds = 60

/** Queues as a worker counted them in Redis, and what the database has of them. */
export async function queueHealth(db: Queryable): Promise<QueuesHealth> {
  const [reports, outbox] = await Promise.all([
    db.query<Row>(
      `select queue, waiting, active, delayed, failed, oldest_at as "oldestAt", reported_at as "reportedAt",
         reported_at > now() - interval '${freshSeconds} seconds' as "isFresh"
       from queue_reports order by queue`,
    ),
    outboxState(db),
  ])
  const names = [...new Set([...reports, ...outbox].map(({ queue }) => queue))].sort()
  const newest = reports.reduce<Row | null>(
    (last, row) => (last && last.reportedAt > row.reportedAt ? last : row),
    null,
  )
  const queues = names.map((queue) => {
    const report = reports.find((each) => each.queue === queue && each.isFresh)
    const rows = outbox.find((each) => each.queue === queue)
    return {
      queue,
      jobs: jobsOf(report),
      oldestAt: oldestOf(report?.oldestAt ?? null, rows?.oldestSeconds ?? 0),
      unfinished: rows?.waiting ?? null,
      unfinishedSince: oldestOf(null, rows?.oldestSeconds ?? 0),
      dead: rows?.dead ?? 0,
    }
  })
  return { redis: redisOf(newest), reportedAt: newest?.reportedAt.toISOString() ?? null, queues }
}

function jobsOf(row: Row | undefined): QueueHealth['jobs'] {
  if (!row || row.waiting === null) return null
  const { waiting, active, delayed, failed } = row
  return { waiting, active: active ?? 0, delayed: delayed ?? 0, failed: failed ?? 0 }
}

function oldestOf(inRedis: Date | null, outboxSeconds: number): string | null {
  const inDatabase = outboxSeconds > 0 ? Date.now() - outboxSeconds * 1000 : Number.POSITIVE_INFINITY
  const oldest = Math.min(inRedis?.getTime() ?? Number.POSITIVE_INFINITY, inDatabase)
  return Number.isFinite(oldest) ? new Date(oldest).toISOString() : null
}

function redisOf(newest: Row | null): QueuesHealth['redis'] {
  if (!newest?.isFresh) return 'unknown'
  return newest.waiting === null ? 'no_answer' : 'ok'
}
