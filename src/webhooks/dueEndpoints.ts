import type { Queryable } from '../platform/db.ts'

// From one endpoint to the next through the index: the cost follows the endpoints that have something queued, not how much they have. Each is
// then looked at by its key (`offset 0` keeps the planner from joining the tables whole, as it would without statistics).
const queuedEndpoints = `recursive queued as (
  (select endpoint_id from webhook_queue order by endpoint_id limit 1)
  union all
  select (select q.endpoint_id from webhook_queue q where q.endpoint_id > queued.endpoint_id order by q.endpoint_id limit 1)
  from queued where queued.endpoint_id is not null),
due as (
  select e.id, q.next_attempt_at as at from queued
  cross join lateral (
    select id from webhook_endpoints where id = queued.endpoint_id and status = 'active' and removed_at is null and (not_before is null or not_before <= now()) offset 0) e
  cross join lateral (select next_attempt_at from webhook_queue where endpoint_id = e.id order by next_attempt_at limit 1) q)`

/** Endpoints that have a delivery due. */
export async function dueEndpoints(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`with ${queuedEndpoints} select id from due where at <= now()`)
  return rows.map((row) => row.id)
}

export interface DeliveryState {
  /** Deliveries that are neither made nor given up, and have an endpoint. */
  pending: number
  /** How long the one that is due longest has waited, of endpoints that are not paused. */
  oldestDueSeconds: number
  paused: { reason: string; endpoints: number }[]
  /** Rows for which there is no week: nothing drops them in time. */
  strayRows: number
}

export async function deliveryState(db: Queryable): Promise<DeliveryState> {
  const [row] = await db.query<{ pending: string; oldest: number; stray: number }>(
    `with ${queuedEndpoints}
     select (select coalesce(sum(n), 0)::text from webhook_delivery_counts where status = 'pending' and endpoint_id is not null) as pending,
       (select coalesce(extract(epoch from now() - min(at) filter (where at <= now())), 0)::float from due) as oldest,
       ((select count(*) from events_default) + (select count(*) from webhook_deliveries_default) + (select count(*) from webhook_attempts_default))::int as stray`,
  )
  const paused = await db.query<{ reason: string; endpoints: number }>(
    `select paused_reason as reason, count(*)::int as endpoints from webhook_endpoints where status = 'paused' and removed_at is null group by 1`,
  )
  return { pending: Number(row?.pending ?? 0), oldestDueSeconds: row?.oldest ?? 0, paused, strayRows: row?.stray ?? 0 }
}
