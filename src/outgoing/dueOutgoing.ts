import type { Queryable } from '../platform/db.ts'
import { heldSql } from './hold.ts'

/** SQL: the status of a row of `outgoing` as the operator sees it. What waits for a second owner has one of its own: it may wait for days. */
const statusSql = `case when outgoing.status = 'created' and needs_approval and not exists (
  select 1 from approvals a where a.subject = outgoing.purpose and a.subject_id = outgoing.id and a.decision = 'approved') then 'waiting_for_approval' else outgoing.status end`

const maxAtOnce = 500
/** So many of one business wait for workers at a time, however many it has. */
const maxOfBusiness = 100

/**
 * Intents that are due for a look: of each business those that have waited longest, the businesses in turns. The rows are their own outbox.
 * From one business to the next through the index: the cost follows the businesses, not how much they have.
 */
export async function dueOutgoing(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with recursive businesses as (
       (select business_id as id from outgoing where next_look_at is not null order by business_id limit 1)
       union all
       select (select o.business_id from outgoing o where o.next_look_at is not null and o.business_id > businesses.id order by o.business_id limit 1)
       from businesses where businesses.id is not null)
     select due.id from businesses cross join lateral (
       select o.id, o.next_look_at, row_number() over (order by o.next_look_at) as turn from outgoing o
       where o.business_id = businesses.id and o.next_look_at <= now() order by o.next_look_at limit $2) due
     order by due.turn, due.next_look_at limit $1`,
    [maxAtOnce, maxOfBusiness],
  )
  return rows.map(({ id }) => id)
}

export interface OutgoingState {
  chain: string
  /** `held` where its business is suspended and nothing was sent. */
  status: string
  count: number
  /** Of the oldest. */
  seconds: number
}

/** What has left, or should, and is not settled. */
export const outgoingState = (db: Queryable): Promise<OutgoingState[]> =>
  db.query<OutgoingState>(
    `select chain, count(*)::int as count, extract(epoch from now() - min(created_at))::float as seconds,
       case when ${heldSql} then 'held' else ${statusSql} end as status
     from outgoing where next_look_at is not null group by 1, 4`,
  )

export interface Unsettled {
  id: string
  chain: string
  signer: string
  status: string
  txId: string | null
  reason: string | null
  from: string
  /** Nonce or sequence number; null where the chain has none. */
  sequence: string | null
  held: boolean
  createdAt: Date
}

/** What may still change, the oldest first; a thousand at most. */
export const unsettledOutgoing = (db: Queryable): Promise<Unsettled[]> =>
  db.query<Unsettled>(
    `select id, chain, signer, ${statusSql} as status, tx_id as "txId", reason, from_address as "from", created_at as "createdAt", ${heldSql} as held,
       (select max(sequence) from outgoing_sequences where outgoing_id = outgoing.id) as sequence
     from outgoing where next_look_at is not null order by created_at limit 1000`,
  )

/** An intent as the operator decides about it. */
export interface Open {
  id: string
  businessId: string
  chain: string
  signer: string
  from: string
  /** The last nonce or sequence number that was taken for it; null where there is none. */
  sequence: string | null
  to: string
  /** Base units, and how many of them are one. */
  amount: string
  decimals: number
  symbol: string
  status: string
  txId: string | null
  createdAt: Date
}

const openColumns = `id, business_id as "businessId", chain, signer, from_address as "from", to_address as "to", amount::text as amount, decimals, symbol,
  tx_id as "txId", created_at as "createdAt", (select max(sequence) from outgoing_transactions where outgoing_id = outgoing.id) as sequence`

/** What a business has waiting while it is suspended, the oldest first; a thousand at most. */
export const heldOutgoing = (db: Queryable, businessId: string): Promise<Open[]> =>
  db.query<Open>(
    `select ${openColumns}, ${statusSql} as status from outgoing where business_id = $1 and ${heldSql} order by created_at, id limit 1000`,
    [businessId],
  )

/** Everything of which this database does not know what became of it, the oldest first: after a restore it may have left all the same. */
export const openOutgoing = (db: Queryable): Promise<Open[]> =>
  db.query<Open>(
    `select ${openColumns}, status from outgoing
     where next_look_at is not null and status in ('created', 'signed', 'broadcast', 'unknown') order by created_at`,
  )
