import type { JobHandler } from '../src/capability.ts'
import type { Db } from '../src/platform/database/db.ts'
import { outboxFailed } from '../src/platform/database/outbox.ts'
import { messageOf } from '../src/platform/errors.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { type OutboxQueue, outboxPolicy } from '../src/platform/jobs.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { Cause } from '../src/platform/telemetry/scope.ts'
import { processJob } from './processJob.ts'

export interface DirectContext {
  db: Db
  log: Log
  /** Handlers of the queues whose rows this worker does without a job. */
  handlers: ReadonlyMap<OutboxQueue, JobHandler<object>>
  /** Maximum number of rows at once. */
  places: number
  retryMs: number
  /** Publishes a row that failed here, as its first try. */
  publish(row: DirectRow): Promise<unknown>
  ended(queue: OutboxQueue, outcome: 'completed' | 'failed'): void
}

export interface DirectRow extends Cause {
  id: string
  queue: OutboxQueue
  payload: object
}

/**
 * Does work of the outbox in this process. Redis and its round trips would cost more than most of this work.
 */
export interface Direct {
  /**
   * Claims due rows that were never published, and starts them.
   * @returns false if others are due: they need jobs
   */
  take(): Promise<boolean>
  /** Resolves when nothing runs. */
  drain(): Promise<unknown>
}

export function createDirect(ctx: DirectContext): Direct {
  const running = new Set<Promise<void>>()
  const begin = (row: DirectRow): void => {
    const work = run(ctx, row).finally(() => running.delete(work))
    running.add(work)
  }
  return {
    async take() {
      const free = ctx.places - running.size
      if (free <= 0 || ctx.handlers.size === 0) return false
      const { rows, due } = await claim(ctx, free)
      if (rows.length > 0) failpoint('relay.taken')
      for (const row of rows) begin(row)
      return due <= rows.length
    },
    drain: () => Promise.all(running),
  }
}

/**
 * One statement and no transaction: a row that is claimed and not started comes back like one whose job was
 * lost. Its first try counts as published, because a row that fails here is published under it.
 * @returns also how many rows are due, with the claimed ones, as far as one claim could take
 */
async function claim(
  { db, handlers, retryMs }: DirectContext,
  free: number,
): Promise<{ rows: DirectRow[]; due: number }> {
  const rows = await db.query<{ due: number } & (DirectRow | { id: null })>(
    `with due as (
       select id from outbox where dead_at is null and relay_after <= now() and tries_left > 0 and try = 0 and queue = any($1)
       order by id limit $2 for update skip locked),
     taken as (
       update outbox o set try = 1, relay_after = now() + $3 * interval '1 millisecond' from due where o.id = due.id
       returning o.id, o.queue, o.payload, o.traceparent, o.request_id)
     select t.id, t.queue, t.payload, t.traceparent, t.request_id as "requestId", (select count(*)::int from (select from outbox where dead_at is null and relay_after <= now() limit $2 + 1) d) as due
     from (select) one left join taken t on true order by t.id`,
    [[...handlers.keys()], free, retryMs],
  )
  return {
    rows: rows.filter((row): row is { due: number } & DirectRow => row.id !== null),
    due: rows[0]?.due ?? 0,
  }
}

async function run(ctx: DirectContext, row: DirectRow): Promise<void> {
  const { id, queue } = row
  try {
    await processJob(ctx, queue, ctx.handlers.get(queue), jobOf(row, 1).data)
    ctx.ended(queue, 'completed')
  } catch (error) {
    ctx.ended(queue, 'failed')
    await outboxFailed(ctx.db, id, messageOf(error), false).catch(() => {})
    // Without Redis the row comes back after its pause.
    await ctx
      .publish(row)
      .catch((cause) =>
        ctx.log.warn(
          { queue, outboxId: id, err: messageOf(cause) },
          'a failed job was not published; it is retried',
        ),
      )
  }
}

/**
 * A job of an outbox row, under an id of the row and the try.
 * @param again its work was started before
 */
export const jobOf = (
  { id, queue, payload, traceparent, requestId }: DirectRow,
  number: number,
  again = number > 1,
) => ({
  name: queue,
  data: {
    ...payload,
    outboxId: id,
    ...(traceparent === null && requestId === null ? {} : { cause: { traceparent, requestId, again } }),
  },
  opts: {
    jobId: jobIdOf(id, number),
    attempts: outboxPolicy.attemptsPerTry,
    backoff: { type: 'exponential' as const, delay: outboxPolicy.backoffMs },
  },
})

export const jobIdOf = (id: string, number: number) => `outbox-${id}-${number}`
