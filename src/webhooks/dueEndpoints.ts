import type { Queryable } from '../platform/db.ts'

/** Endpoints that have a delivery due: one look into an index for each endpoint, however long its backlog is. */
export async function dueEndpoints(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select e.id from webhook_endpoints e where e.status = 'active' and exists (
       select 1 from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending' and d.next_attempt_at <= now())`,
  )
  return rows.map((row) => row.id)
}

/** Deliveries by state that someone waits for, and the age of the oldest that is due. */
export async function deliveryBacklog(db: Queryable): Promise<{ pending: number; oldestDueSeconds: number }> {
  const [row] = await db.query<{ pending: number; oldest: number }>(
    `select count(*)::int as pending, coalesce(extract(epoch from now() - min(next_attempt_at) filter (where next_attempt_at <= now())), 0)::float as oldest
     from webhook_deliveries where status = 'pending' and endpoint_id is not null`,
  )
  return { pending: row?.pending ?? 0, oldestDueSeconds: row?.oldest ?? 0 }
}
