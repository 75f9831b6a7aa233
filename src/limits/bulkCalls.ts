import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '../platform/db.ts'
import { ApiError } from '../platform/errors.ts'

/** A bulk call that is under way. */
export interface BulkCall {
  /** Says that it goes on: for a call that takes long, from time to time. */
  renew(): Promise<void>
  end(): Promise<void>
}

/** A call that has not said for so long that it goes on is taken for crashed. */
const leaseSeconds = 60
const retryAfterSeconds = 2

/**
 * Begins a bulk call of a business, of which so many may be under way over all processes.
 * @param atOnce.queued work of such calls that is still to be done: each is one call
 * @throws ApiError 429 `too_many_bulk_calls`
 */
export async function beginBulkCall(ctx: { db: Db }, businessId: string, { atOnce, queued }: { atOnce: number; queued: number }): Promise<BulkCall> {
  const lease = randomUUID()
  for (let slot = 1 + queued; slot <= atOnce; slot++) if (await takeSlot(ctx.db, businessId, slot, lease)) return callOf(ctx, businessId, lease)
  throw new ApiError(429, 'too_many_bulk_calls', `A business may have ${atOnce} bulk calls under way; repeat this one when another has ended`, {
    retryAfterSeconds,
  })
}

async function takeSlot(db: Queryable, businessId: string, slot: number, lease: string): Promise<boolean> {
  const taken = await db.query(
    `insert into bulk_calls (business_id, slot, lease, lease_until) values ($1, $2, $3, now() + $4 * interval '1 second')
     on conflict (business_id, slot) do update set lease = excluded.lease, lease_until = excluded.lease_until where bulk_calls.lease_until < now()
     returning slot`,
    [businessId, slot, lease, leaseSeconds],
  )
  return taken.length > 0
}

const callOf = ({ db }: { db: Db }, businessId: string, lease: string): BulkCall => ({
  async renew() {
    await db.query("update bulk_calls set lease_until = now() + $3 * interval '1 second' where business_id = $1 and lease = $2", [
      businessId,
      lease,
      leaseSeconds,
    ])
  },
  async end() {
    await db.query('delete from bulk_calls where business_id = $1 and lease = $2', [businessId, lease])
  },
})
