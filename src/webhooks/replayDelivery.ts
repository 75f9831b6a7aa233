import type { Db, Tx } from '../platform/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { endpointPaused, lockEndpoint, wakeEndpoint } from './endpoint.ts'
import { type DeliveryView, findDelivery, readDelivery } from './listDeliveries.ts'

const mostAtOnce = 100_000

/**
 * Attempts a delivery now, whatever became of it, and begins its schedule anew. Receivers see the same `webhook-id` as before. One
 * that is under way at this moment goes on; if it fails, it is due at once.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `no_endpoint`, `endpoint_removed` or `endpoint_paused`
 */
export function replayDelivery(
  ctx: { db: Db },
  businessId: string,
  id: string,
  also?: (tx: Tx, result: DeliveryView) => Promise<void>,
): Promise<DeliveryView> {
  return ctx.db.tx(async (tx) => {
    const found = await findDelivery(tx, businessId, id)
    if (found.endpoint_id === null) throw new ApiError(409, 'no_endpoint', 'There was no endpoint when this happened')
    await lockActive(tx, businessId, found.endpoint_id)
    await tx.query(
      `with again as (
         update webhook_deliveries set status = 'pending', delivered_at = null where id = $1 and created_at = $2 and status <> 'pending'
         returning id, created_at, endpoint_id, attempts_count)
       insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, attempts) select id, created_at, endpoint_id, now(), attempts_count from again`,
      [id, found.created_at],
    )
    await tx.query(
      `update webhook_queue set tries = 0, next_attempt_at = case when claimed_until > now() then next_attempt_at else now() end where delivery_id = $1`,
      [id],
    )
    await wakeEndpoint(tx, found.endpoint_id)
    const view = await readDelivery(tx, businessId, id)
    await also?.(tx, view)
    return view
  })
}

export interface Replayed {
  replayed: number
  /** There are more; ask again. */
  more: boolean
}

/**
 * Replays what failed, of events since a time, for one endpoint or for all that are active, the oldest first: 100,000 a call.
 * @param also runs in the same transaction
 * @throws ApiError 404, or 409 `endpoint_paused`, for the endpoint that is named
 */
export function replayFailed(
  ctx: { db: Db },
  businessId: string,
  wanted: { since: Date; until?: Date; endpointId?: string },
  also?: (tx: Tx, result: Replayed) => Promise<void>,
): Promise<Replayed> {
  const { since, until, endpointId } = wanted
  return ctx.db.tx(async (tx) => {
    if (endpointId !== undefined && (await lockEndpoint(tx, businessId, endpointId)).status === 'paused') throw endpointPaused()
    const endpoints = await tx.query<{ id: string }>(
      `select id from webhook_endpoints where business_id = $1 and status = 'active' and removed_at is null and ($2::uuid is null or id = $2)
       order by id for no key update`,
      [businessId, endpointId ?? null],
    )
    const ids = endpoints.map(({ id }) => id)
    const failed = `business_id = $1 and status = 'failed' and endpoint_id = any($2::uuid[]) and created_at >= $3 and ($4::timestamptz is null or created_at < $4)`
    const [row] = await tx.query<{ n: number }>(
      `with picked as (select id, created_at from webhook_deliveries where ${failed} order by id limit $5),
       again as (
         update webhook_deliveries d set status = 'pending', delivered_at = null from picked
         where d.id = picked.id and d.created_at = picked.created_at and d.status = 'failed' returning d.id, d.created_at, d.endpoint_id, d.attempts_count),
       queued as (
         insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, attempts)
         select id, created_at, endpoint_id, now(), attempts_count from again returning endpoint_id),
       woken as (select pg_notify('cowry_deliveries', endpoint_id::text) from (select distinct endpoint_id from queued) q)
       select (select count(*)::int from queued) as n, (select count(*)::int from woken) as woken`,
      [businessId, ids, since, until ?? null, mostAtOnce],
    )
    const replayed = row?.n ?? 0
    const [left] =
      replayed < mostAtOnce ? [] : await tx.query(`select 1 from webhook_deliveries where ${failed} limit 1`, [businessId, ids, since, until ?? null])
    const result = { replayed, more: left !== undefined }
    await also?.(tx, result)
    return result
  })
}

async function lockActive(tx: Tx, businessId: string, endpointId: string): Promise<void> {
  const [endpoint] = await tx.query<{ status: string; removed: boolean }>(
    'select status, removed_at is not null as removed from webhook_endpoints where id = $1 and business_id = $2 for no key update',
    [endpointId, businessId],
  )
  if (!endpoint) throw notFound('Webhook endpoint')
  if (endpoint.removed) throw new ApiError(409, 'endpoint_removed', 'The endpoint of this delivery was removed')
  if (endpoint.status === 'paused') throw endpointPaused()
}
