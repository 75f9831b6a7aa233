import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** Types of events that exist so far; more come with their capabilities. */
export const eventTypes = [
  'transaction.detected',
  'transaction.confirmed',
  'transaction.reverted',
  'session.detected',
  'session.paid',
  'session.underpaid',
  'session.overpaid',
  'session.late',
  'session.expired',
  'session.cancelled',
  'session.reversed',
] as const
export type EventType = (typeof eventTypes)[number]

/** What happened, once, to one business. */
export interface NewEvent {
  type: EventType
  /** The body's `data`. */
  data: object
  /** What the delivery's record is about. */
  about: { chain: string; address: string; symbol: string; amount: string; txId: string | null }
}

/**
 * Stores events in the caller's transaction: each with the business's next sequence number, and one delivery for
 * each endpoint (one that belongs to no endpoint, when the business has none). The numbers have no gap, because
 * they are taken under a row lock and roll back with the transaction.
 */
export async function recordEvents(tx: Tx, businessId: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const [counter] = await tx.query<{ last: string }>(
    `insert into event_sequences (business_id, last) values ($1, $2)
     on conflict (business_id) do update set last = event_sequences.last + $2 returning last`,
    [businessId, events.length],
  )
  if (!counter) throw new Error('no sequence number')
  const first = BigInt(counter.last) - BigInt(events.length) + 1n
  const at = new Date()
  const ids = events.map(() => newId())
  await tx.query(
    `insert into events (id, created_at, business_id, sequence, type, data)
     select id, $1, $2, sequence, type, data from unnest($3::uuid[], $4::bigint[], $5::text[], $6::jsonb[]) as e(id, sequence, type, data)`,
    [at, businessId, ids, events.map((_, i) => (first + BigInt(i)).toString()), events.map((e) => e.type), events.map((e) => JSON.stringify(e.data))],
  )
  const endpoints = await tx.query<{ id: string }>("select id from webhook_endpoints where business_id = $1 and status = 'active'", [businessId])
  const targets: (string | null)[] = endpoints.length > 0 ? endpoints.map((endpoint) => endpoint.id) : [null]
  const deliveries = targets.flatMap((endpointId) => events.map((event, i) => ({ id: newId(), endpointId, eventId: ids[i], ...event })))
  await tx.query(
    `insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, type, chain, address, symbol, amount, tx_id)
     select id, $1, event_id, $2, endpoint_id, type, chain, address, symbol, amount, tx_id
     from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
       as d(id, event_id, endpoint_id, type, chain, address, symbol, amount, tx_id)`,
    [
      at,
      businessId,
      deliveries.map((d) => d.id),
      deliveries.map((d) => d.eventId),
      deliveries.map((d) => d.endpointId),
      deliveries.map((d) => d.type),
      deliveries.map((d) => d.about.chain),
      deliveries.map((d) => d.about.address),
      deliveries.map((d) => d.about.symbol),
      deliveries.map((d) => d.about.amount),
      deliveries.map((d) => d.about.txId),
    ],
  )
}
