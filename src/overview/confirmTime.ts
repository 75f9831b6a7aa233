import type { Queryable } from '../platform/database/db.ts'

/** As many are enough for a median, and their number bounds the cost. */
const sampled = 500

/**
 * Median time from the moment a payment was seen until its session was paid, of the last ones.
 * @returns seconds as a decimal; null where none was paid in 30 days
 */
export async function confirmTime(db: Queryable, businessId: string): Promise<string | null> {
  const [row] = await db.query<{ seconds: string | null }>(
    `select round((percentile_cont(0.5) within group (order by extract(epoch from s.paid_at - p.seen)::float8))::numeric, 1)::text as seconds
     from (
       select id, paid_at from pos_sessions where business_id = $1 and paid_at >= now() - interval '30 days'
       order by paid_at desc limit ${sampled}
     ) s cross join lateral (
       select min(created_at) as seen from session_payments where session_id = s.id and status = 'confirmed'
     ) p where p.seen is not null`,
    [businessId],
  )
  return row?.seconds ?? null
}
