import type { Db, Tx } from '../platform/database/db.ts'
import { endOfDeliveryIdsSql } from './deliveryIds.ts'
import type { DeliveryStatus } from './listDeliveries.ts'

export interface LoggedEvent {
  id: string
  type: string
  timestamp: string
  sequence: number
  /** What it is about; null if it is about nothing else, or was erased. */
  object: { kind: string; id: string; reference: string | null } | null
  /** How many of its deliveries to an endpoint are in each state. */
  deliveries: Record<DeliveryStatus, number>
}

export interface NewestQuery {
  /** Only events with lower sequence numbers. */
  before?: number
  limit: number
  /** A type, or a topic as `session.*`. */
  type?: string
  /** Only with a delivery to an endpoint in this state. */
  status?: DeliveryStatus
  since?: Date
  until?: Date
}

interface Row extends Record<DeliveryStatus, number> {
  id: string
  createdAt: Date
  type: string
  sequence: string
  kind: string
  objectId: string | null
  reference: string | null
}

/** Sequence numbers examined by a statement, and statements by a request: a rare type has no index. */
const span = 20_000
const maxSpans = 10

/** The deliveries of the event `e`. One without an endpoint waits for the first of the business: nothing takes it yet. */
const deliveries = `from webhook_deliveries d
  where d.business_id = e.business_id and d.event_id = e.id and d.endpoint_id is not null and d.id > e.id and d.id < ${endOfDeliveryIdsSql('e.id')}`

const select = `
  with found as materialized (
    select e.*, split_part(e.type, '.', 1) as topic from events e
    where e.business_id = $1 and e.sequence < $2 and e.sequence >= $3
      and ($4::text is null or e.type = $4 or split_part(e.type, '.', 1) || '.*' = $4)
      and ($5::timestamptz is null or e.created_at >= $5) and ($6::timestamptz is null or e.created_at < $6)
      and ($7::text is null or exists (select ${deliveries} and d.status = $7))
    order by e.sequence desc limit $8)
  select e.id, e.created_at as "createdAt", e.type, e.sequence, n.pending, n.delivered, n.failed,
    case when topic = 'transaction' then case when data ? 'sessionId' then 'session' else 'monitored_address' end
      when data->'endpoint'->'callback' = 'true' and topic in ('delivery', 'endpoint') then 'callback_host'
      when topic = 'delivery' then 'endpoint' else topic end as kind,
    case topic when 'transaction' then coalesce(data->>'sessionId', data->>'monitoredAddressId')
      when 'wallet' then data->>'walletId'
      when 'endpoint' then coalesce(data->>'endpointId', data->'endpoint'->>'id')
      when 'delivery' then data->'endpoint'->>'id'
      else data->>'id' end as "objectId",
    data->>'reference' as reference
  from found e cross join lateral (
    select count(*) filter (where d.status = 'pending')::int as pending,
      count(*) filter (where d.status = 'delivered')::int as delivered,
      count(*) filter (where d.status = 'failed')::int as failed ${deliveries}) n
  order by e.sequence desc`

/** The newest events of a business; `nextBefore` is the `before` of the next page, null on the last. */
export function listNewestEvents(
  ctx: { db: Db },
  businessId: string,
  query: NewestQuery,
): Promise<{ events: LoggedEvent[]; nextBefore: number | null }> {
  const { limit, type = null, status = null, since = null, until = null } = query
  return ctx.db.snapshot(async (tx) => {
    const bounds = await boundsOf(tx, businessId, query)
    const rows: Row[] = []
    let before = bounds.before
    for (let spans = 0; spans < maxSpans && rows.length < limit && before > bounds.first; spans++) {
      const from = Math.max(bounds.first, before - span)
      const wanted = limit - rows.length
      rows.push(
        ...(await tx.query<Row>(select, [businessId, before, from, type, since, until, status, wanted])),
      )
      before = from
    }
    const last = rows.length === limit ? Number(rows.at(-1)?.sequence) : before
    return { events: rows.map(presentLogged), nextBefore: last > bounds.first ? last : null }
  })
}

/** The sequence numbers that a page can have: from `first` on, and below `before`. */
async function boundsOf(
  tx: Tx,
  businessId: string,
  { before, since, until }: NewestQuery,
): Promise<{ first: number; before: number }> {
  const [row] = await tx.query<{ first: string | null; last: string | null }>(
    `select (select sequence from events where business_id = $1 and ($2::timestamptz is null or created_at >= $2)
         order by sequence limit 1) as first,
       (select sequence from events where business_id = $1 and ($3::timestamptz is null or created_at < $3)
         order by sequence desc limit 1) as last`,
    [businessId, since ?? null, until ?? null],
  )
  if (row?.first == null || row.last == null) return { first: 0, before: 0 }
  const end = Number(row.last) + 1
  return { first: Number(row.first), before: before === undefined ? end : Math.min(end, before) }
}

function presentLogged(row: Row): LoggedEvent {
  const { id, type, kind, objectId, reference, pending, delivered, failed } = row
  return {
    id,
    type,
    timestamp: row.createdAt.toISOString(),
    sequence: Number(row.sequence),
    object: objectId === null ? null : { kind, id: objectId, reference },
    deliveries: { pending, delivered, failed },
  }
}
