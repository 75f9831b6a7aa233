import type { Queryable } from '../platform/database/db.ts'
import { notBefore } from './notBefore.ts'

// Steps through the index from one endpoint to the next: the cost depends on the number of endpoints with
// queued deliveries, not on their backlog. Each endpoint is then read by its key (`offset 0` keeps the
// planner from joining whole tables, as it would without statistics).
const queuedEndpoints = `recursive queued as (
  (select endpoint_id from webhook_queue order by endpoint_id limit 1)
  union all
  select (select q.endpoint_id from webhook_queue q where q.endpoint_id > queued.endpoint_id order by q.endpoint_id limit 1)
  from queued where queued.endpoint_id is not null),
due as (
  select e.id, q.next_attempt_at as at from queued
  cross join lateral (
    select id from webhook_endpoints where id = queued.endpoint_id and status = 'active' and removed_at is null and coalesce(${notBefore} <= now(), true) offset 0) e
  cross join lateral (select next_attempt_at from webhook_queue where endpoint_id = e.id order by next_attempt_at limit 1) q)`

/** Endpoints with a delivery due. */
export async function dueEndpoints(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(`with ${queuedEndpoints} select id from due where at <= now()`)
  return rows.map((row) => row.id)
}

export interface DeliveryState {
  /** Deliveries with an endpoint that are neither made nor given up. */
  pending: number
  /** Waiting time of the delivery due for longest; paused endpoints excluded. */
  oldestDueSeconds: number
  paused: { reason: string; endpoints: number }[]
  /** Pairs of an endpoint and an event type with deliveries given up since the type's last success. */
  lostTypes: number
  /** Rows outside every weekly partition: they are not dropped in time. */
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
  const [lost] = await db.query<{ n: number }>(
    `select count(*)::int as n from webhook_type_health h join webhook_endpoints e on e.id = h.endpoint_id and e.removed_at is null where h.given_up > 0`,
  )
  return {
    lostTypes: lost?.n ?? 0,
    pending: Number(row?.pending ?? 0),
    oldestDueSeconds: row?.oldest ?? 0,
    paused,
    strayRows: row?.stray ?? 0,
  }
}
