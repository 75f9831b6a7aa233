import { type JobPayloads, type OutboxQueue, outboxPolicy } from '../jobs.ts'
import { type Cause, currentCause } from '../telemetry/scope.ts'
import type { Queryable, Tx } from './db.ts'
import { prepared } from './prepared.ts'

/**
 * Writes jobs that become visible with the transaction of their cause. A trigger notifies the relay
 * (`cowry_outbox`); the relay also polls. They are sent with the next statement, at the latest with the
 * commit.
 * @param causes what each job is done for; default: the current request or job
 */
export async function enqueue<Q extends OutboxQueue>(
  tx: Tx,
  queue: Q,
  payloads: readonly JobPayloads[Q][],
  causes?: readonly Cause[],
): Promise<void> {
  if (payloads.length === 0) return
  const known = causes ?? payloads.map(currentCause)
  tx.send(insertJobs, [
    queue,
    payloads.map((p) => JSON.stringify(p)),
    outboxPolicy.tries,
    known.map(({ traceparent }) => traceparent),
    known.map(({ requestId }) => requestId),
  ])
}

const insertJobs = prepared(
  `insert into outbox (queue, payload, tries_left, traceparent, request_id)
   select $1, p, $3, traceparent, request_id from unnest($2::jsonb[], $4::text[], $5::text[]) as j(p, traceparent, request_id)`,
)

const deleteJob = prepared('delete from outbox where id = $1')

/**
 * Deletes the outbox row in the transaction that stores the job's effect, with the next statement or the
 * commit.
 */
export async function outboxDone(tx: Tx, outboxId: string): Promise<void> {
  tx.send(deleteJob, [outboxId])
}

/**
 * Stores why a job failed. Only failures use up tries: a job that waits for a worker, or is lost with Redis,
 * has not failed.
 * @param isOver true for the last attempt of the try
 */
export async function outboxFailed(
  db: Queryable,
  outboxId: string,
  error: string,
  isOver: boolean,
): Promise<void> {
  await db.query('update outbox set last_error = $2, tries_left = tries_left - $3::integer where id = $1', [
    outboxId,
    error.slice(0, 500),
    isOver ? 1 : 0,
  ])
}

export interface DeadRow {
  id: string
  queue: string
  payload: object
  error: string | null
  createdAt: Date
}

/** Jobs that were given up, oldest first. */
export function deadRows(db: Queryable): Promise<DeadRow[]> {
  return db.query<DeadRow>(
    'select id, queue, payload, last_error as error, created_at as "createdAt" from outbox where dead_at is not null order by id limit 1000',
  )
}

/**
 * Gives dead jobs all their tries again, under new job ids, because Redis may still know the old ones.
 * @param only one job, or those of one queue; default: all
 * @returns the number per queue
 */
export async function replayDead(
  db: Queryable,
  only: { id?: string; queue?: string } = {},
): Promise<Map<string, number>> {
  const rows = await db.query<{ queue: string }>(
    `update outbox set dead_at = null, tries_left = $1, relay_after = now()
     where dead_at is not null and ($2::bigint is null or id = $2) and ($3::text is null or queue = $3) returning queue`,
    [outboxPolicy.tries, only.id ?? null, only.queue ?? null],
  )
  const counts = new Map<string, number>()
  for (const { queue } of rows) counts.set(queue, (counts.get(queue) ?? 0) + 1)
  return counts
}

export interface OutboxState {
  queue: string
  waiting: number
  oldestSeconds: number
  dead: number
}

/** Unfinished rows by queue. */
export async function outboxState(db: Queryable): Promise<OutboxState[]> {
  return db.query<OutboxState>(
    `select queue, (count(*) filter (where dead_at is null))::int as waiting, (count(*) filter (where dead_at is not null))::int as dead,
       coalesce(extract(epoch from now() - min(created_at) filter (where dead_at is null)), 0)::float as "oldestSeconds"
     from outbox group by queue`,
  )
}
