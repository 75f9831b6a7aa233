import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'

/** A running bulk call. */
export interface BulkCall {
  /** Extends the lease; a long call does it from time to time. */
  renew(): Promise<void>
  /** @param within the transaction of the call's work: a crash then leaves both or neither */
  end(within?: Queryable): Promise<void>
}

/** A call that has not renewed its lease for this long counts as crashed. */
const leaseSeconds = 60
const retryAfterSeconds = 2

/**
 * Starts a bulk call of a business; the limit on concurrent calls holds over all processes.
 * @param options.queuedSql counts queued work of such calls of the business `$1`; each counts as a call
 * @throws ApiError 429 `too_many_bulk_calls`
 */
export async function startBulkCall(
  ctx: { db: Db },
  businessId: string,
  { atOnce, queuedSql }: { atOnce: number; queuedSql: string },
): Promise<BulkCall> {
  const lease = randomUUID()
  let outcome: Outcome
  do outcome = await takeSlot(ctx.db, businessId, { atOnce, queuedSql, lease })
  while (outcome === 'taken by another')
  if (outcome === 'taken') return callOf(ctx, businessId, lease)
  throw new ApiError(
    429,
    'too_many_bulk_calls',
    `A business may have ${atOnce} bulk calls running; repeat this one when another has ended`,
    {
      retryAfterSeconds,
    },
  )
}

type Outcome = 'taken' | 'taken by another' | 'full'

/**
 * Takes the lowest free slot if calls and queued work are fewer than `atOnce`, in one statement: a call that
 * becomes queued work is counted once or twice, never missed. Of two statements that see the same calls, only
 * one gets the slot.
 */
async function takeSlot(
  db: Queryable,
  businessId: string,
  { atOnce, queuedSql, lease }: { atOnce: number; queuedSql: string; lease: string },
): Promise<Outcome> {
  const [row] = await db.query<{ taken: boolean; full: boolean }>(
    `with live as materialized (select slot from bulk_calls where business_id = $1 and lease_until >= now()),
       room as materialized (select (select count(*) from live) + (${queuedSql}) < $2::integer as free),
       mine as (
         insert into bulk_calls (business_id, slot, lease, lease_until)
         select $1, n, $3, now() + $4 * interval '1 second' from generate_series(1, $2::integer) n
         where (select free from room) and n not in (select slot from live) order by n limit 1
         on conflict (business_id, slot) do update set lease = excluded.lease, lease_until = excluded.lease_until where bulk_calls.lease_until < now()
         returning slot)
     select exists (select from mine) as taken, not (select free from room) as full`,
    [businessId, atOnce, lease, leaseSeconds],
  )
  if (row?.taken) return 'taken'
  return row?.full ? 'full' : 'taken by another'
}

const callOf = ({ db }: { db: Db }, businessId: string, lease: string): BulkCall => ({
  async renew() {
    await db.query(
      "update bulk_calls set lease_until = now() + $3 * interval '1 second' where business_id = $1 and lease = $2",
      [businessId, lease, leaseSeconds],
    )
  },
  async end(within = db) {
    await within.query('delete from bulk_calls where business_id = $1 and lease = $2', [businessId, lease])
  },
})
