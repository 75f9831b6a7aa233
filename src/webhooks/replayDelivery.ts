import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, notFound, resultOr } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { currentTraceparent } from '../platform/telemetry/tracing.ts'
import { endpointPaused, signalEndpoint } from './endpoint.ts'
import { type DeliveryView, findDelivery, readDelivery } from './listDeliveries.ts'
import { spanOf } from './messages.ts'

const maxAtOnce = 100_000
/** Rows per statement: others wait for its locks. */
const pieceSize = 500

/**
 * Attempts a delivery again now, in any status, and restarts its schedule. The `webhook-id` stays the same. A
 * running attempt continues; if it fails, the delivery is due at once.
 * @param also runs in the same transaction
 * @throws ApiError 404; 409 `no_endpoint`, `endpoint_removed`, `endpoint_paused` or `delivery_erased`
 */
export function replayDelivery(
  ctx: { db: Db },
  businessId: string,
  id: string,
  also?: (tx: Tx, result: DeliveryView) => Promise<void>,
): Promise<DeliveryView> {
  return ctx.db.tx(async (tx) => {
    const found = await findDelivery(tx, businessId, id)
    if (found.endpointId === null)
      throw new ApiError(409, 'no_endpoint', 'The business had no endpoint when this event happened')
    await lockActive(tx, businessId, found.endpointId)
    // Under the lock, which an erasure takes too.
    if ((await findDelivery(tx, businessId, id)).erasedAt !== null)
      throw new ApiError(
        409,
        'delivery_erased',
        'The payload of this delivery was erased; it cannot be sent again',
      )
    await tx.query(
      `with again as (
         update webhook_deliveries set status = 'pending', delivered_at = null where id = $1 and created_at = $2 and status <> 'pending'
         returning id, created_at, endpoint_id, attempts_count)
       insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, attempts, traceparent)
       select id, created_at, endpoint_id, now(), attempts_count, $3 from again`,
      [id, found.createdAt, currentTraceparent()],
    )
    await tx.query(
      `update webhook_queue set tries = 0, next_attempt_at = case when claimed_until > now() then next_attempt_at else now() end where delivery_id = $1`,
      [id],
    )
    await signalEndpoint(tx, found.endpointId)
    const view = await readDelivery(tx, businessId, id)
    await also?.(tx, view)
    return view
  })
}

export interface Replayed {
  replayed: number
  /** There are more; call again. */
  more: boolean
}

interface ReplayFilter {
  since: Date
  until?: Date
  endpointId?: string
}

/**
 * Replays failed deliveries of events since a time, for one endpoint or callback host or for all active ones,
 * oldest first: up to 100,000 per call and up to the business's daily cap. Each piece of an endpoint is a
 * transaction, so that deliveries and changes of the endpoint wait for one piece at most. Deliveries that fail
 * again meanwhile are not replayed twice.
 * @param ctx.take counts deliveries against the daily cap. @returns how many of them may be replayed; @throws
 * ApiError
 *   if it is used up
 * @param hooks `begun` runs in a transaction before the first piece, `piece` in each piece's transaction,
 * `goesOn`
 *   after each piece, `ended` in a transaction after the last
 * @throws ApiError 404, or 409 `endpoint_removed` or `endpoint_paused`, for the named endpoint; errors of `take`
 */
export async function replayFailed(
  ctx: { db: Db; take(deliveries: number): Promise<number> },
  businessId: string,
  filter: ReplayFilter,
  hooks: {
    begun?(tx: Tx): Promise<void>
    piece?(tx: Tx): Promise<void>
    goesOn?(replayed: number): Promise<void>
    ended?(tx: Tx, result: Replayed): Promise<void>
  } = {},
): Promise<Replayed> {
  const { endpointId } = filter
  if (endpointId !== undefined) await ctx.db.tx((tx) => lockActive(tx, businessId, endpointId))
  let piece = await nextPiece(ctx, businessId, filter, null, pieceSize)
  await ctx.db.tx(async (tx) => hooks.begun?.(tx))
  let replayed = 0
  while (piece) {
    const { failed } = piece
    let now = 0
    for (const each of new Set(failed.map(({ endpointId }) => endpointId))) {
      const ofOne = failed.filter(({ endpointId }) => endpointId === each)
      now += await ctx.db.tx(async (tx) => {
        await hooks.piece?.(tx)
        return replayPiece(tx, each, ofOne)
      })
    }
    replayed += now
    await hooks.goesOn?.(now)
    const room = Math.min(pieceSize, maxAtOnce - replayed)
    if (piece.isLast || room === 0) break
    // The daily cap may be reached between two pieces: the rest is left to a later call.
    const next: Piece | ApiError | null = await resultOr(
      ApiError,
      nextPiece(ctx, businessId, filter, piece.last, room),
    )
    if (next instanceof ApiError) break
    piece = next
  }
  const left = piece ? await findFailed(ctx.db, businessId, filter, piece.last, 1) : []
  const result = { replayed, more: left.length > 0 }
  await ctx.db.tx(async (tx) => hooks.ended?.(tx, result))
  return result
}

interface Piece {
  failed: Failed[]
  /** Id of its last delivery. */
  last: string
  /** The daily cap is reached. */
  isLast: boolean
}

/** Null: nothing is left. @throws errors of `take` */
async function nextPiece(
  ctx: { db: Db; take(deliveries: number): Promise<number> },
  businessId: string,
  filter: ReplayFilter,
  after: string | null,
  max: number,
): Promise<Piece | null> {
  const found = await findFailed(ctx.db, businessId, filter, after, max)
  if (found.length === 0) return null
  const failed = found.slice(0, await ctx.take(found.length))
  const last = failed.at(-1)
  return last ? { failed, last: last.id, isLast: failed.length < found.length } : null
}

interface Failed {
  id: string
  createdAt: Date
  endpointId: string
}

/** @param after the delivery before the first to return */
function findFailed(
  db: Db,
  businessId: string,
  { since, until, endpointId }: ReplayFilter,
  after: string | null,
  max: number,
): Promise<Failed[]> {
  return db.query<Failed>(
    `select id, created_at as "createdAt", endpoint_id as "endpointId" from webhook_deliveries
     where business_id = $1 and status = 'failed' and erased_at is null and created_at >= $2 and ($3::timestamptz is null or created_at < $3) and ($4::uuid is null or id > $4)
       and endpoint_id = any(array(
         select id from webhook_endpoints where business_id = $1 and status = 'active' and removed_at is null and ($5::uuid is null or id = $5)))
     order by id limit $6`,
    [businessId, since, until ?? null, after, endpointId ?? null, max],
  )
}

/**
 * @returns the number replayed: deliveries replayed or delivered since they were found are skipped; 0 if the
 * endpoint
 *   is no longer active
 */
async function replayPiece(tx: Tx, endpointId: string, failed: readonly Failed[]): Promise<number> {
  const [active] = await tx.query(
    "select 1 from webhook_endpoints where id = $1 and status = 'active' and removed_at is null for no key update",
    [endpointId],
  )
  if (!active) return 0
  const rows = await tx.query(
    `with again as (
       update webhook_deliveries d set status = 'pending', delivered_at = null from unnest($1::uuid[], $2::timestamptz[]) as f(id, created_at)
       where d.id = f.id and d.created_at = f.created_at and d.created_at between $3 and $4 and d.status = 'failed' and d.erased_at is null
       returning d.id, d.created_at, d.endpoint_id, d.attempts_count)
     insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, attempts)
     select id, created_at, endpoint_id, now(), attempts_count from again returning delivery_id`,
    [
      failed.map(({ id }) => id),
      failed.map(({ createdAt }) => createdAt),
      ...spanOf(failed.map(({ createdAt }) => createdAt)),
    ],
  )
  if (rows.length > 0) await tx.query("select pg_notify('cowry_deliveries', $1)", [endpointId])
  return rows.length
}

/** Of an endpoint or of a host of callbacks. @throws ApiError 404; 409 `endpoint_removed`, `endpoint_paused` */
async function lockActive(tx: Tx, businessId: string, endpointId: string): Promise<void> {
  const [endpoint] = isUuid(endpointId)
    ? await tx.query<{ status: string; removed: boolean; host: string | null }>(
        `select status, removed_at is not null as removed, callback_host as host from webhook_endpoints
         where id = $1 and business_id = $2 for no key update`,
        [endpointId, businessId],
      )
    : []
  if (!endpoint) throw notFound('Webhook endpoint')
  if (endpoint.removed) throw endpointRemoved(endpoint.host)
  if (endpoint.status === 'paused') throw endpointPaused()
}

const endpointRemoved = (callbackHost: string | null) =>
  new ApiError(
    409,
    'endpoint_removed',
    callbackHost === null
      ? 'The endpoint was removed: nothing is sent to it again'
      : `The callback host ${callbackHost} was removed; list it again with PUT /webhook-callbacks first`,
  )
