import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { spanOf } from './messages.ts'

/** Events per transaction: deliveries to their endpoints wait for it. */
const batchSize = 500

export interface EraseFilter {
  businessId: string
  /** Only deliveries to this endpoint. */
  endpointId?: string
  eventId?: string
  /** Events before this time. */
  before?: Date
}

export interface Erased {
  events: number
  deliveries: number
}

interface EraseContext {
  db: Db
  /** Reports progress after each batch. */
  say(line: string): void
}

/**
 * Blanks the payloads of events and deliveries: bodies, subjects, and receivers' answers. Ids, types, times
 * and outcomes stay. A body stays while another delivery of its event is not erased. Works in batches, each a
 * transaction; called again, it continues.
 * @param options.giveUpPending also fails deliveries that are still to be made
 * @throws ApiError 409 `deliveries_pending`; 409 `delivery_under_way`: an attempt may store an answer after
 * the erasure
 */
export async function eraseDeliveries(
  ctx: EraseContext,
  filter: EraseFilter,
  options: { giveUpPending?: boolean } = {},
): Promise<Erased> {
  const giveUpPending = options.giveUpPending ?? false
  if (!giveUpPending) await requireNonePending(ctx.db, filter)
  const erased: Erased = { events: 0, deliveries: 0 }
  for (let after = '0'; ; ) {
    const batch = await nextBatch(ctx.db, filter, after)
    const last = batch.at(-1)
    if (!last) break
    const done = await ctx.db.tx((tx) => eraseBatch(tx, filter, batch, giveUpPending))
    erased.events += done.events
    erased.deliveries += done.deliveries
    after = last.sequence
    if (done.events + done.deliveries > 0) ctx.say(summary(erased))
  }
  return erased
}

/** What was erased, as text. */
export const summary = ({ events, deliveries }: Erased): string =>
  `${events} events, ${deliveries} deliveries erased`

const pendingRefusal = (count: string) =>
  new ApiError(
    409,
    'deliveries_pending',
    `${count} of these events are still to be made: wait for them, or give them up with --give-up-pending`,
  )

async function requireNonePending(
  db: Db,
  { businessId, endpointId, eventId, before }: EraseFilter,
): Promise<void> {
  const [row] = await db.query<{ n: string }>(
    `select count(*)::text as n from webhook_deliveries where business_id = $1 and status = 'pending'
       and ($2::uuid is null or endpoint_id = $2) and ($3::uuid is null or event_id = $3) and ($4::timestamptz is null or created_at < $4)`,
    [businessId, endpointId ?? null, eventId ?? null, before ?? null],
  )
  if (row && row.n !== '0') throw pendingRefusal(`${row.n} deliveries`)
}

interface Found {
  id: string
  createdAt: Date
  sequence: string
}

function nextBatch(
  db: Db,
  { businessId, endpointId, eventId, before }: EraseFilter,
  after: string,
): Promise<Found[]> {
  const delivered = `exists (select 1 from webhook_deliveries d where d.event_id = e.id and d.created_at = e.created_at and d.endpoint_id = $6 and d.erased_at is null)`
  return db.query<Found>(
    `select id, created_at as "createdAt", sequence from events e
     where business_id = $1 and sequence > $2 and erased_at is null and ($3::uuid is null or id = $3) and ($4::timestamptz is null or created_at < $4)
       and ($6::uuid is null or ${delivered})
     order by sequence limit $5`,
    [businessId, after, eventId ?? null, before ?? null, batchSize, endpointId ?? null],
  )
}

interface FoundDelivery {
  id: string
  endpointId: string | null
}

async function eraseBatch(
  tx: Tx,
  { endpointId }: EraseFilter,
  batch: readonly Found[],
  giveUpPending: boolean,
): Promise<Erased> {
  const ids = batch.map(({ id }) => id)
  const span = spanOf(batch.map(({ createdAt }) => createdAt))
  const found = await tx.query<FoundDelivery>(
    `select id, endpoint_id as "endpointId" from webhook_deliveries
     where event_id = any($1::uuid[]) and created_at between $2 and $3 and erased_at is null and ($4::uuid is null or endpoint_id = $4)`,
    [ids, ...span, endpointId ?? null],
  )
  // Attempts and replays lock the endpoint first: until the commit no attempt starts.
  await tx.query('select 1 from webhook_endpoints where id = any($1::uuid[]) order by id for no key update', [
    [...new Set(found.flatMap((each) => (each.endpointId === null ? [] : [each.endpointId])))],
  ])
  const deliveries = found.map(({ id }) => id)
  if (giveUpPending) await giveUp(tx, deliveries, span)
  const erased = await tx.query(
    `update webhook_deliveries set erased_at = now(), address = '', symbol = '', amount = '', tx_id = null, url = null
     where id = any($1::uuid[]) and created_at between $2 and $3 and status <> 'pending' returning id`,
    [deliveries, ...span],
  )
  if (erased.length < deliveries.length)
    throw pendingRefusal(`${deliveries.length - erased.length} deliveries`)
  await tx.query(
    'update webhook_attempts set response_body = null where delivery_id = any($1::uuid[]) and created_at between $2 and $3 and response_body is not null',
    [deliveries, ...span],
  )
  const events = await tx.query(
    `update events e set erased_at = now(), data = '{}' where id = any($1::uuid[]) and created_at between $2 and $3
       and not exists (select 1 from webhook_deliveries d where d.event_id = e.id and d.created_at = e.created_at and d.erased_at is null)
     returning id`,
    [ids, ...span],
  )
  return { events: events.length, deliveries: erased.length }
}

/** Fails waiting deliveries. The caller holds their endpoints' locks. */
async function giveUp(tx: Tx, deliveries: readonly string[], span: readonly [Date, Date]): Promise<void> {
  const [underWay] = await tx.query<{ n: number }>(
    'select count(*)::int as n from webhook_queue where delivery_id = any($1::uuid[]) and claimed_until > now()',
    [deliveries],
  )
  if ((underWay?.n ?? 0) > 0) {
    const message = `${underWay?.n} deliveries are being attempted now: repeat the command in a minute, or pause their endpoints first`
    throw new ApiError(409, 'delivery_under_way', message)
  }
  await tx.query('delete from webhook_queue where delivery_id = any($1::uuid[])', [deliveries])
  await tx.query(
    "update webhook_deliveries set status = 'failed' where id = any($1::uuid[]) and created_at between $2 and $3 and status = 'pending'",
    [deliveries, ...span],
  )
}
