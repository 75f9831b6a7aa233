import type { Tx } from '../platform/database/db.ts'
import { pgArray } from '../platform/database/pgArrays.ts'
import { prepared } from '../platform/database/prepared.ts'
import { newIds } from '../platform/ids.ts'
import { currentTraceparent } from '../platform/telemetry/tracing.ts'
import { takesPlaceSql, takesReferenceSql } from './endpointFilters.ts'

/** All event types. Each capability adds its own (docs/architecture.md, "Capabilities"). */
// biome-ignore lint/suspicious/noEmptyInterface: capabilities add to it
export interface EventTypes {}
export type EventType = keyof EventTypes

/** Event types with a common topic: what a capability reports, with the texts of the dashboard. */
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
  /** A URL that gets it too, where its host is one of the business's callback hosts. */
  callbackUrl?: string | null
}

/** For events without a chain. */
export const aboutNothing: NewEvent['about'] = { chain: '', address: '', symbol: '', amount: '', txId: null }

interface Destination {
  /** Deliver only to this endpoint, regardless of its types. */
  onlyTo?: string
  /** Deliver to the other endpoints only: without any, to no endpoint, now or later. */
  except?: string
}

const takeNumbers = prepared(
  `insert into event_sequences (business_id, last) values ($1, $2)
   on conflict (business_id) do update set last = event_sequences.last + $2`,
)

/**
 * The id for an endpoint after the first: ordered as those for the first, by their time and counter, which
 * are 11 bytes.
 */
const laterId = `encode(overlay(uuid_send(gen_random_uuid()) placing substring(uuid_send(delivery_id) from 1 for 11) from 1 for 11), 'hex')::uuid`

const passesFilters = `${takesPlaceSql('')} and (e.reference_prefix is null or ${takesReferenceSql('data')})`

/**
 * Takes the database's time, which retention uses, when the lock is held: a higher number never has an
 * earlier time. Dates hold milliseconds. Reads endpoints then, too: adding, removing or stopping one also
 * takes the lock.
 */
const storeEvents = prepared(
  `with taken as materialized (
     select last, date_trunc('milliseconds', clock_timestamp()) as at from event_sequences where business_id = $1),
   given as (
     select e.*, split_part(type, '.', 1) as topic
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $14::text[], $15::text[])
       with ordinality as e(id, delivery_id, type, data, chain, address, symbol, amount, tx_id, callback_url, callback_host, n)),
   stored as (
     insert into events (id, created_at, business_id, sequence, type, data, traceparent)
     select id, at, $1, last - cardinality($2::uuid[]) + n, type, data, $13::text from given, taken),
   endpoints as materialized (
     select id, event_types, chains, tokens, reference_prefix, callback_host, status, row_number() over (order by callback_host is not null) as nth
     from webhook_endpoints
     where business_id = $1 and removed_at is null and paused_reason is distinct from 'gone'),
   targets as materialized (
     select case when coalesce(nth, 1) = 1 and e.callback_host is null then delivery_id else ${laterId} end as delivery_id, at, given.id as event_id, e.id as endpoint_id, status,
       topic, type, chain, address, symbol, amount, tx_id, case when e.callback_host is not null then callback_url end as url
     from taken, given join (
       select id, event_types, chains, tokens, reference_prefix, callback_host, status, nth from endpoints
       union all select null, null, null, null, null, null, null, null
       where $11::uuid is null and $12::uuid is null and not exists (select from endpoints where callback_host is null)) e
       on case when $11::uuid is not null then e.id = $11
         when e.callback_host is not null then e.callback_host = given.callback_host
         else e.id is distinct from $12 and (event_types is null or event_types && array[type, topic || '.*']) and ${passesFilters} or e.id is null end),
   delivered as (
     insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, tx_id, url)
     select delivery_id, at, event_id, $1, endpoint_id, topic, type, chain, address, symbol, amount, tx_id, url from targets),
   queued as (
     insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at, traceparent)
     select delivery_id, at, endpoint_id, now(), $13::text from targets where endpoint_id is not null)
   select delivery_id as id, null as notified from targets
   union all select null, pg_notify('cowry_events', $1::text)::text
   union all select null, pg_notify('cowry_deliveries', id)::text
     from (select distinct endpoint_id::text as id from targets where status = 'active') active
   union all select null, pg_notify('cowry_sessions', id)::text
     from (select distinct data->>case topic when 'session' then 'id' else 'sessionId' end as id from given
       where topic in ('session', 'transaction')) sessions where id is not null`,
)

/**
 * Stores events in the caller's transaction: each gets the business's next sequence number, and a delivery
 * for each endpoint that takes its type and whose filters it passes; paused endpoints are included, gone ones are not. Without any
 * endpoint it gets a delivery that belongs to no endpoint. Numbers have no gaps and become visible in order:
 * they are taken under a row lock and roll back with the transaction. The lock starts with the transaction's
 * next statement, at the latest with its commit: all events of the business wait for it, and most wait for no
 * round trip. The commit notifies requests that wait for events of the business.
 */
export function recordEvents(
  tx: Tx,
  businessId: string,
  events: readonly NewEvent[],
  to: Destination = {},
): void {
  if (events.length === 0) return
  tx.send(takeNumbers, [businessId, events.length])
  tx.send(storeEvents, valuesOf(businessId, events, to))
}

/** The same. @returns the ids of the deliveries */
export async function recordDeliveries(
  tx: Tx,
  businessId: string,
  events: readonly NewEvent[],
  to: Destination = {},
): Promise<string[]> {
  tx.send(takeNumbers, [businessId, events.length])
  const rows = await tx.query<{ id: string | null }>(storeEvents, valuesOf(businessId, events, to))
  return rows.flatMap(({ id }) => id ?? [])
}

const valuesOf = (
  businessId: string,
  events: readonly NewEvent[],
  { onlyTo, except }: Destination,
): unknown[] => [
  businessId,
  pgArray(newIds(events.length)),
  pgArray(newIds(events.length)),
  pgArray(events.map(({ type }) => type)),
  pgArray(events.map(({ data }) => JSON.stringify(data))),
  pgArray(events.map(({ about }) => about.chain)),
  pgArray(events.map(({ about }) => about.address)),
  pgArray(events.map(({ about }) => about.symbol)),
  pgArray(events.map(({ about }) => about.amount)),
  pgArray(events.map(({ about }) => about.txId)),
  onlyTo ?? null,
  except ?? null,
  currentTraceparent(),
  pgArray(events.map(({ callbackUrl }) => callbackUrl ?? null)),
  pgArray(events.map(({ callbackUrl }) => (callbackUrl ? new URL(callbackUrl).hostname : null))),
]
