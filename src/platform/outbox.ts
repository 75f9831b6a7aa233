import type { Queryable, Tx } from './db.ts'
import type { JobPayloads, OutboxQueue } from './jobs.ts'

/**
 * Writes jobs that become visible with the transaction that caused them. A trigger notifies the relay
 * (`cowry_outbox`); the relay also looks by itself.
 */
export async function enqueue<Q extends OutboxQueue>(tx: Tx, queue: Q, payloads: readonly JobPayloads[Q][]): Promise<void> {
  if (payloads.length === 0) return
  await tx.query('insert into outbox (queue, payload) select $1, p from unnest($2::jsonb[]) as p', [queue, payloads.map((p) => JSON.stringify(p))])
}

/** The worker's word, in its own transaction, that the job's effect is stored. The row has served and goes. */
export async function outboxDone(tx: Tx, outboxId: string): Promise<void> {
  await tx.query('delete from outbox where id = $1', [outboxId])
}

export interface OutboxState {
  queue: string
  waiting: number
  oldestSeconds: number
  dead: number
}

/** What is not done yet, by queue. */
export async function outboxState(db: Queryable): Promise<OutboxState[]> {
  return db.query<OutboxState>(
    `select queue, (count(*) filter (where dead_at is null))::int as waiting, (count(*) filter (where dead_at is not null))::int as dead,
       coalesce(extract(epoch from now() - min(created_at) filter (where dead_at is null)), 0)::float as "oldestSeconds"
     from outbox group by queue`,
  )
}
