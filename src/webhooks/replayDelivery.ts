import type { Db, Tx } from '../platform/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { endpointPaused, lockEndpoint, signalEndpoint } from './endpoint.ts'
import { type DeliveryView, findDelivery, readDelivery } from './listDeliveries.ts'
import { spanOf } from './messages.ts'

const maxAtOnce = 100_000
/** What one statement replays: the locks that it holds are others' waiting time. */
const pieceSize = 500

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
    await signalEndpoint(tx, found.endpoint_id)
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

interface Wanted {
  since: Date
  until?: Date
  endpointId?: string
}

/**
 * Replays what failed, of events since a time, for one endpoint or for all that are active, the oldest first: 100,000 a call, and no more than the
 * business may in a day. It does so in pieces, each endpoint's in a transaction: deliveries and those who change an endpoint wait for one piece,
 * never for all. What fails again meanwhile is not replayed again.
 * @param ctx.take counts so many against the day. @returns how many of them may be replayed; @throws ApiError where none may
 * @param told `begun` runs in a transaction before the first piece, `piece` in that of each, `goesOn` after each, `ended` in one after the last
 * @throws ApiError 404, or 409 `endpoint_paused`, for the endpoint that is named; what `take` throws
 */
export async function replayFailed(
  ctx: { db: Db; take(deliveries: number): Promise<number> },
  businessId: string,
  wanted: Wanted,
  told: {
    begun?(tx: Tx): Promise<void>
    piece?(tx: Tx): Promise<void>
    goesOn?(replayed: number): Promise<void>
    ended?(tx: Tx, result: Replayed): Promise<void>
  } = {},
): Promise<Replayed> {
  const { endpointId } = wanted
  if (endpointId !== undefined) await ctx.db.tx((tx) => requireNotPaused(tx, businessId, endpointId))
  let piece = await nextPiece(ctx, businessId, wanted, null, pieceSize)
  await ctx.db.tx(async (tx) => told.begun?.(tx))
  let replayed = 0
  while (piece) {
    const { failed } = piece
    let now = 0
    for (const each of new Set(failed.map(({ endpoint_id }) => endpoint_id))) {
      const ofOne = failed.filter(({ endpoint_id }) => endpoint_id === each)
      now += await ctx.db.tx(async (tx) => {
        await told.piece?.(tx)
        return replayPiece(tx, each, ofOne)
      })
    }
    replayed += now
    await told.goesOn?.(now)
    const room = Math.min(pieceSize, maxAtOnce - replayed)
    if (piece.isLast || room === 0) break
    // What a day allows may be used up between two pieces: the rest is for another call.
    const next: Piece | 'used up' | null = await nextPiece(ctx, businessId, wanted, piece.last, room).catch((error) => {
      if (error instanceof ApiError) return 'used up' as const
      throw error
    })
    if (next === 'used up') break
    piece = next
  }
  const left = piece ? await findFailed(ctx.db, businessId, wanted, piece.last, 1) : []
  const result = { replayed, more: left.length > 0 }
  await ctx.db.tx(async (tx) => told.ended?.(tx, result))
  return result
}

interface Piece {
  failed: Failed[]
  /** The last delivery of it. */
  last: string
  /** The day allows no more. */
  isLast: boolean
}

/** Null: nothing is left. @throws what `take` throws */
async function nextPiece(
  ctx: { db: Db; take(deliveries: number): Promise<number> },
  businessId: string,
  wanted: Wanted,
  after: string | null,
  max: number,
): Promise<Piece | null> {
  const found = await findFailed(ctx.db, businessId, wanted, after, max)
  if (found.length === 0) return null
  const failed = found.slice(0, await ctx.take(found.length))
  const last = failed.at(-1)
  return last ? { failed, last: last.id, isLast: failed.length < found.length } : null
}

interface Failed {
  id: string
  created_at: Date
  endpoint_id: string
}

/** @param after the delivery before the first one */
function findFailed(db: Db, businessId: string, { since, until, endpointId }: Wanted, after: string | null, max: number): Promise<Failed[]> {
  return db.query<Failed>(
    `select id, created_at, endpoint_id from webhook_deliveries
     where business_id = $1 and status = 'failed' and created_at >= $2 and ($3::timestamptz is null or created_at < $3) and ($4::uuid is null or id > $4)
       and endpoint_id = any(array(
         select id from webhook_endpoints where business_id = $1 and status = 'active' and removed_at is null and ($5::uuid is null or id = $5)))
     order by id limit $6`,
    [businessId, since, until ?? null, after, endpointId ?? null, max],
  )
}

/** @returns how many have not been replayed or delivered since they were found; none where their endpoint is not active any more */
async function replayPiece(tx: Tx, endpointId: string, failed: readonly Failed[]): Promise<number> {
  const [active] = await tx.query("select 1 from webhook_endpoints where id = $1 and status = 'active' and removed_at is null for no key update", [
    endpointId,
  ])
  if (!active) return 0
  const rows = await tx.query(
    `with again as (
       update webhook_deliveries d set status = 'pending', delivered_at = null from unnest($1::uuid[], $2::timestamptz[]) as f(id, created_at)
       where d.id = f.id and d.created_at = f.created_at and d.created_at between $3 and $4 and d.status = 'failed'
       returning d.id, d.created_at, d.endpoint_id, d.attempts_count)
     insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, attempts)
     select id, created_at, endpoint_id, now(), attempts_count from again returning delivery_id`,
    [failed.map(({ id }) => id), failed.map(({ created_at }) => created_at), ...spanOf(failed.map(({ created_at }) => created_at))],
  )
  if (rows.length > 0) await tx.query("select pg_notify('cowry_deliveries', $1)", [endpointId])
  return rows.length
}

async function requireNotPaused(tx: Tx, businessId: string, endpointId: string): Promise<void> {
  if ((await lockEndpoint(tx, businessId, endpointId)).status === 'paused') throw endpointPaused()
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
