import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { prepared } from '../platform/prepared.ts'

/** All event types. Each capability adds its own (docs/architecture.md, "Capabilities"). */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface EventTypes {}
export type EventType = keyof EventTypes

/** Event types with a common topic: what a capability reports, with the words of the dashboard. */
export interface EventTopic {
  /** The part of the types before the dot. */
  topic: string
  label: string
  hint: string
  /** Each type with a hint. */
  types: Readonly<Partial<Record<EventType, string>>>
}

/** The part of a type before its dot. */
export const topicOf = (type: string): string => type.slice(0, type.indexOf('.'))

/** One event of one business. */
export interface NewEvent {
  type: EventType
  /** The body's `data`. */
  data: object
  /** The subject shown in the delivery's record. */
  about: { chain: string; address: string; symbol: string; amount: string; txId: string | null }
}

/** For events without a chain. */
export const aboutNothing: NewEvent['about'] = { chain: '', address: '', symbol: '', amount: '', txId: null }

interface Destination {
  onlyTo?: string
  except?: string
}

interface Target {
  id: string
  eventTypes: string[] | null
  status: 'active' | 'paused'
}

const nextNumbers = prepared(
  `insert into event_sequences (business_id, last) values ($1, $2)
   on conflict (business_id) do update set last = event_sequences.last + $2 returning last, date_trunc('milliseconds', clock_timestamp()) as at`,
)

const selectEndpoints = prepared(
  `select id, event_types as "eventTypes", status from webhook_endpoints
   where business_id = $1 and removed_at is null and paused_reason is distinct from 'gone'`,
)

const storeEvents = prepared(
  `with stored as (
     insert into events (id, created_at, business_id, sequence, type, data)
     select id, $1, $2, sequence, type, data from unnest($3::uuid[], $4::bigint[], $5::text[], $6::jsonb[]) as e(id, sequence, type, data)),
   delivered as (
     insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, tx_id)
     select id, $1, event_id, $2, endpoint_id, split_part(type, '.', 1), type, chain, address, symbol, amount, tx_id
     from unnest($7::uuid[], $8::uuid[], $9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       as d(id, event_id, endpoint_id, type, chain, address, symbol, amount, tx_id)),
   queued as (
     insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at)
     select id, $1, endpoint_id, now() from unnest($16::uuid[], $17::uuid[]) as q(id, endpoint_id))
   select pg_notify('cowry_events', $2::text)
   union all select pg_notify('cowry_deliveries', id) from unnest($18::text[]) as id`,
)

/**
 * Stores events in the caller's transaction: each gets the business's next sequence number, and a delivery for each
 * endpoint that takes its type; paused endpoints are included, gone ones are not. Without any endpoint it gets a
 * delivery that belongs to no endpoint. Numbers have no gaps and become visible in order: they are taken under a row
 * lock and roll back with the transaction. The commit wakes requests that wait for events of the business.
 * @param options.onlyTo deliver only to this endpoint, regardless of its types
 * @param options.except deliver to the other endpoints only: without any, to no endpoint, now or later
 * @returns the ids of the deliveries
 */
export async function recordEvents(tx: Tx, businessId: string, events: readonly NewEvent[], options: Destination = {}): Promise<string[]> {
  if (events.length === 0) return []
  // Take the database's time, which retention uses, once the lock is held: a higher number never has an earlier time.
  // Dates hold milliseconds.
  const [[counter], endpoints] = await Promise.all([
    tx.query<{ last: string; at: Date }>(nextNumbers, [businessId, events.length]),
    // A later statement, which sees what was committed before the lock: adding, removing or stopping an endpoint also takes it.
    tx.query<Target>(selectEndpoints, [businessId]),
  ])
  if (!counter) throw new Error('no sequence number')
  const first = BigInt(counter.last) - BigInt(events.length) + 1n
  const numbered = events.map((event, i) => ({ id: newId(), sequence: (first + BigInt(i)).toString(), ...event }))
  const deliveries = numbered.flatMap((event) => targetsOf(event.type, endpoints, options).map((target) => ({ id: newId(), target, event })))
  const queued = deliveries.filter(({ target }) => target !== null)
  tx.send(storeEvents, [
    counter.at,
    businessId,
    numbered.map((e) => e.id),
    numbered.map((e) => e.sequence),
    numbered.map((e) => e.type),
    numbered.map((e) => JSON.stringify(e.data)),
    deliveries.map((d) => d.id),
    deliveries.map((d) => d.event.id),
    deliveries.map((d) => d.target?.id ?? null),
    deliveries.map((d) => d.event.type),
    deliveries.map((d) => d.event.about.chain),
    deliveries.map((d) => d.event.about.address),
    deliveries.map((d) => d.event.about.symbol),
    deliveries.map((d) => d.event.about.amount),
    deliveries.map((d) => d.event.about.txId),
    queued.map((d) => d.id),
    queued.map((d) => d.target?.id),
    [...new Set(queued.flatMap(({ target }) => (target?.status === 'active' ? [target.id] : [])))],
  ])
  return deliveries.map((d) => d.id)
}

function targetsOf(type: EventType, endpoints: readonly Target[], { onlyTo, except }: Destination): (Target | null)[] {
  if (onlyTo !== undefined) return endpoints.filter(({ id }) => id === onlyTo)
  if (endpoints.length === 0 && except === undefined) return [null]
  const takes = ({ eventTypes }: Target) => eventTypes === null || eventTypes.includes(type) || eventTypes.includes(`${topicOf(type)}.*`)
  return endpoints.filter((endpoint) => endpoint.id !== except && takes(endpoint))
}
