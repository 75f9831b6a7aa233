import { shownForm } from '../chains/codecs.ts'
import { type EventType, topicOf } from '../events/recordEvents.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import {
  type Created,
  decodeCursor,
  idsWithin,
  maxCounted,
  type Page,
  type PageRequest,
  pageOf,
} from '../platform/pages.ts'
import { endOfDeliveryIds } from './deliveryIds.ts'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

export interface DeliveryFilter extends Created {
  chain?: string
  address?: string
  status?: readonly DeliveryStatus[]
  /** A type, a topic such as `session.*`, or `*`; default `transaction.detected`. */
  type?: string
  endpointId?: string
  eventId?: string
}

/** One event on its way to one endpoint: the specification's webhook delivery record. */
export interface DeliveryView {
  id: string
  eventId: string
  /** Null while the business has no endpoint. */
  endpointId: string | null
  /** Only of a callback: the `webhookUrl` of its session. */
  url?: string
  type: string
  chain: string
  address: string
  symbol: string
  amount: string
  txId: string | null
  status: DeliveryStatus
  attemptsCount: number
  deliveredAt: string | null
  createdAt: string
  /** When its payload was erased on request. */
  erasedAt: string | null
}

export interface DeliveryRow {
  id: string
  createdAt: Date
  eventId: string
  endpointId: string | null
  url: string | null
  type: string
  chain: string
  address: string
  symbol: string
  amount: string
  txId: string | null
  status: DeliveryStatus
  attemptsCount: number
  deliveredAt: Date | null
  erasedAt: Date | null
}

/** The columns of `DeliveryRow`, of `webhook_deliveries d`. */
const deliveryRow = `d.id, d.created_at as "createdAt", d.event_id as "eventId", d.endpoint_id as "endpointId", d.url, d.type, d.chain, d.address,
  d.symbol, d.amount, d.tx_id as "txId", d.status, d.attempts_count as "attemptsCount", d.delivered_at as "deliveredAt", d.erased_at as "erasedAt"`

interface ListContext {
  db: Db
  /** Every event type that capabilities record. */
  eventTypes: readonly EventType[]
}

/**
 * Delivery records of the business, newest first by default. `total` is exact if the filter has only
 * endpoint, type, chain and status; otherwise it stops at 10,000.
 */
export async function listDeliveries(
  ctx: ListContext,
  businessId: string,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<Page & { webhooks: DeliveryView[] }> {
  const total = await count(ctx, businessId, filter)
  // A search without matches may scan every row.
  const rows = total === 0 ? [] : await find(ctx, businessId, filter, request)
  return { webhooks: rows.map(presentDelivery), ...pageOf(rows, request, total) }
}

/** @throws ApiError 404 */
export async function readDelivery(db: Queryable, businessId: string, id: string): Promise<DeliveryView> {
  return presentDelivery(await findDelivery(db, businessId, id))
}

/** @throws ApiError 404 */
export async function findDelivery(db: Queryable, businessId: string, id: string): Promise<DeliveryRow> {
  const [row] = isUuid(id)
    ? await db.query<DeliveryRow>(
        `select ${deliveryRow} from webhook_deliveries d where id = $1 and business_id = $2`,
        [id, businessId],
      )
    : []
  if (!row) throw notFound('Delivery')
  return row
}

export function presentDelivery(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    eventId: row.eventId,
    endpointId: row.endpointId,
    ...(row.url !== null && { url: row.url }),
    type: row.type,
    chain: row.chain,
    address: row.address,
    symbol: row.symbol,
    amount: row.amount,
    txId: row.txId,
    status: row.status,
    attemptsCount: row.attemptsCount,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    erasedAt: row.erasedAt?.toISOString() ?? null,
  }
}

/** Collects conditions and their numbered values. */
class Conditions {
  readonly values: unknown[] = []
  readonly #texts: string[] = []
  /** @returns the value's placeholder, such as `$3` */
  value(value: unknown): string {
    return `$${this.values.push(value)}`
  }
  add(column: string, operator: string, value: unknown): this {
    if (value !== undefined) this.#texts.push(`${column} ${operator} ${this.value(value)}`)
    return this
  }
  /** One value alone keeps the plan of an index in the order of the list. */
  addSeveral(column: string, values: readonly string[] | undefined): this {
    if (values && values.length > 1) this.#texts.push(`${column} = any(${this.value(values)}::text[])`)
    return values?.length === 1 ? this.add(column, '=', values[0]) : this
  }
  toString(): string {
    return this.#texts.join(' and ')
  }
}

/** Conditions on columns with maintained counts. */
function countedConditions(businessId: string, filter: DeliveryFilter): Conditions {
  const type = filter.type ?? 'transaction.detected'
  const conditions = new Conditions().add('business_id', '=', businessId)
  if (type.endsWith('.*')) conditions.add('topic', '=', topicOf(type))
  else if (type !== '*') conditions.add('type', '=', type)
  return conditions
    .add('chain', '=', filter.chain)
    .addSeveral('status', filter.status)
    .add('endpoint_id', '=', filter.endpointId)
}

function conditionsOf(businessId: string, filter: DeliveryFilter): Conditions {
  const { from, before } = idsWithin(filter)
  return countedConditions(businessId, filter)
    .add('address', '=', filter.address === undefined ? undefined : shownForm(filter.address))
    .add('event_id', '=', filter.eventId)
    .add('id', '>', filter.eventId)
    .add('id', '<', filter.eventId === undefined ? undefined : endOfDeliveryIds(filter.eventId))
    .add('created_at', '>=', filter.since)
    .add('created_at', '<', filter.until)
    .add('id', '>=', from)
    .add('id', '<', before)
}

async function count(ctx: ListContext, businessId: string, filter: DeliveryFilter): Promise<number> {
  const { address, eventId, since, until } = filter
  const counted = [address, eventId, since, until].every((each) => each === undefined)
  // In index order, from the end nearer to the requested time. From a time on any rows will do, and no rows
  // are sorted for the order.
  const sort = until && !since ? 'ASC' : 'DESC'
  const where = counted ? countedConditions(businessId, filter) : conditionsOf(businessId, filter)
  const [row] = await ctx.db.query<{ n: string }>(
    counted
      ? `select coalesce(sum(n), 0)::text as n from webhook_delivery_counts where ${where}`
      : `select count(*)::text as n from (select 1 ${matching(ctx, filter, where, { sort: since && !until ? null : sort, limit: maxCounted })} limit ${maxCounted}) d`,
    where.values,
  )
  return Number(row?.n ?? 0)
}

function find(
  ctx: ListContext,
  businessId: string,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<DeliveryRow[]> {
  const { page, limit, sort, cursor } = request
  const where = conditionsOf(businessId, filter)
  if (cursor !== undefined) where.add('id', sort === 'ASC' ? '>' : '<', decodeCursor(cursor))
  const offset = cursor === undefined ? (page - 1) * limit : 0
  const from = matching(ctx, filter, where, { sort, limit: limit + offset, cursor })
  // First the ids, which indexes have; then their rows.
  return ctx.db.query<DeliveryRow>(
    `select ${deliveryRow} from webhook_deliveries d where business_id = $1 and d.id = any(array(
       select d.id ${from} order by d.id ${sort} limit ${where.value(limit)}::int offset ${where.value(offset)}::int
     )) order by d.id ${sort}`,
    where.values,
  )
}

/** The first rows of a condition; `sort` null: any. */
interface First {
  sort: 'ASC' | 'DESC' | null
  limit: number
  cursor?: string | undefined
}

const [lowestId, highestId] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/**
 * Selects the first rows. No index orders all deliveries of a business: without a narrowing condition it
 * takes the first of each topic. The topic is compared together with the id, because in the order of both
 * Postgres can read only the index of topics: in the order of the id alone it reads the whole table for a topic
 * that has few rows.
 */
function matching(
  { eventTypes }: ListContext,
  filter: DeliveryFilter,
  where: Conditions,
  { sort, limit, cursor }: First,
): string {
  const { type, chain, address, endpointId, eventId, status = ['delivered'] } = filter
  const narrowed = type !== '*' || chain || address || endpointId || eventId || !status.includes('delivered')
  const inOrder = sort === null ? '' : `order by id ${sort}`
  if (narrowed) return `from (select * from webhook_deliveries where ${where} ${inOrder} limit ${limit}) d`
  const { from = lowestId, before = highestId } = idsWithin(filter)
  const last = cursor === undefined ? null : decodeCursor(cursor)
  const lowest = where.value(last !== null && sort === 'ASC' && last > from ? last : from)
  const highest = where.value(last !== null && sort === 'DESC' && last < before ? last : before)
  const topics = [...new Set(eventTypes.map(topicOf))]
  return `from unnest(${where.value(topics)}::text[]) as t(name) cross join lateral (
    select * from webhook_deliveries
    where ${where} and (topic, id) >= (t.name, ${lowest}::uuid) and (topic, id) <= (t.name, ${highest}::uuid)
    order by topic ${sort ?? 'DESC'}, id ${sort ?? 'DESC'} limit ${limit}) d`
}
