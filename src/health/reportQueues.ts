import type { Queryable } from '../platform/database/db.ts'

/** What Redis has of a queue. */
export interface QueueCounts {
  waiting: number
  active: number
  delayed: number
  failed: number
  oldestAt: Date | null
}

/** Stores what a worker counted. @param counts of each queue, in their order; null: Redis did not answer */
export async function storeQueueReports(
  db: Queryable,
  queues: readonly string[],
  counts: readonly QueueCounts[] | null,
): Promise<void> {
  const column = <V>(of: (each: QueueCounts) => V) =>
    queues.map((_, index) => {
      const each = counts?.[index]
      return each ? of(each) : null
    })
  await db.query(
    `insert into queue_reports (queue, waiting, active, delayed, failed, oldest_at)
     select * from unnest($1::text[], $2::integer[], $3::integer[], $4::integer[], $5::integer[], $6::timestamptz[]) as r(queue)
     order by queue
     on conflict (queue) do update set waiting = excluded.waiting, active = excluded.active, delayed = excluded.delayed,
       failed = excluded.failed, oldest_at = excluded.oldest_at, reported_at = now()`,
    [
      queues,
      column(({ waiting }) => waiting),
      column(({ active }) => active),
      column(({ delayed }) => delayed),
      column(({ failed }) => failed),
      column(({ oldestAt }) => oldestAt),
    ],
  )
}
