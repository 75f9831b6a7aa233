import type { Queryable } from '../platform/database/db.ts'

const maxAtOnce = 200
/** Limits the outflows of one business that wait for workers at a time. */
const maxOfBusiness = 50

/**
 * Outflows that are due, with turns between businesses and the platform; longest waiting first. The rows are
 * their own outbox.
 */
export async function dueOutflows(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from (
       select id, next_at, row_number() over (partition by business_id order by next_at) as turn from outflows where next_at <= now()) due
     where turn <= $2 order by turn, next_at limit $1`,
    [maxAtOnce, maxOfBusiness],
  )
  return rows.map(({ id }) => id)
}
