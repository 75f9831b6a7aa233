import type { Queryable } from '../platform/database/db.ts'
import { feeWaitSql } from './fees/feeWait.ts'
import { heldAtAllSql, heldSql } from './hold.ts'

/**
 * SQL: the status of a row of `intents` for the operator. One that waits for a second owner, perhaps for
 * days, has its own; so does one that waits for a lower fee.
 */
const statusSql = `case when intents.status = 'created' and needs_approval and not exists (
  select 1 from approvals a where a.subject = intents.purpose and a.subject_id = intents.id and a.decision = 'approved') then 'waiting_for_approval'
  when ${feeWaitSql} then 'waiting_for_fee' else intents.status end`

const maxAtOnce = 500
/** Limits the intents of one business that wait for workers at a time. */
const maxOfBusiness = 100

/**
 * Intents that are due to be reconciled: takes turns between businesses and the platform, longest waiting
 * first. The rows are their own outbox. Steps from business to business through the index, so that the cost
 * depends on their number, not on their intents.
 */
export async function dueIntents(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `with recursive businesses as (
       (select business_id as id from intents where next_reconcile_at is not null order by business_id limit 1)
       union all
       select (select o.business_id from intents o where o.next_reconcile_at is not null and o.business_id > businesses.id order by o.business_id limit 1)
       from businesses where businesses.id is not null)
     select due.id from (
       select each.* from businesses cross join lateral (
         select o.id, o.next_reconcile_at, row_number() over (order by o.next_reconcile_at) as turn from intents o
         where o.business_id = businesses.id and o.next_reconcile_at <= now() order by o.next_reconcile_at limit $2) each
       union all
       (select o.id, o.next_reconcile_at, row_number() over (order by o.next_reconcile_at) as turn from intents o
        where o.business_id is null and o.next_reconcile_at <= now() order by o.next_reconcile_at limit $2)) due
     order by due.turn, due.next_reconcile_at limit $1`,
    [maxAtOnce, maxOfBusiness],
  )
  return rows.map(({ id }) => id)
}

/** The statuses that intents are counted under. */
export const unsettledStatuses = [
  'held',
  'waiting_for_approval',
  'waiting_for_fee',
  'created',
  'signed',
  'broadcast',
  'unknown',
  'confirmed',
  'failed',
  'expired',
] as const

export interface UnsettledCount {
  chain: string
  /** `held`: the operator holds it or its business is suspended, and nothing was sent. */
  status: string
  count: number
  /** Of the oldest. */
  seconds: number
}

/** Counts intents that are not settled. */
export const countUnsettled = (db: Queryable): Promise<UnsettledCount[]> =>
  db.query<UnsettledCount>(
    `select chain, count(*)::int as count, extract(epoch from now() - min(created_at))::float as seconds,
       case when ${heldAtAllSql} then 'held' else ${statusSql} end as status
     from intents where next_reconcile_at is not null group by 1, 4`,
  )

export interface Unsettled {
  id: string
  chain: string
  signer: string
  status: string
  txId: string | null
  reason: string | null
  from: string
  /** Or sequence number; null on chains without. */
  nonce: string | null
  held: boolean
  /** Of the operator who holds it by itself; null if it is not. */
  heldReason: string | null
  createdAt: Date
}

/** Intents that are not settled, oldest first; at most a thousand. */
export const unsettledIntents = (db: Queryable): Promise<Unsettled[]> =>
  db.query<Unsettled>(
    `select id, chain, signer, ${statusSql} as status, tx_id as "txId", reason, from_address as "from", created_at as "createdAt", ${heldAtAllSql} as held, held_reason as "heldReason",
       (select max(nonce) from intent_nonces where intent_id = intents.id) as nonce
     from intents where next_reconcile_at is not null order by created_at limit 1000`,
  )

/** An intent with what an operator needs to decide about it. */
export interface Open {
  id: string
  /** Null: the platform. */
  businessId: string | null
  purpose: string
  chain: string
  signer: string
  from: string
  /** The last nonce or sequence number that was claimed for it; null without one. */
  nonce: string | null
  /** Null for calls, like the three below. */
  to: string | null
  /** Base units. */
  amount: string | null
  decimals: number | null
  symbol: string | null
  status: string
  txId: string | null
  createdAt: Date
}

const openColumns = `id, business_id as "businessId", purpose, chain, signer, from_address as "from", to_address as "to", amount::text as amount, decimals, symbol,
  tx_id as "txId", created_at as "createdAt", (select max(nonce) from intent_attempts where intent_id = intents.id) as nonce`

/**
 * Held transfers of a suspended business, and steps of its swaps and bridge transfers, oldest first; at most
 * a thousand.
 */
export const heldIntents = (db: Queryable, businessId: string): Promise<Open[]> =>
  db.query<Open>(
    `select ${openColumns}, ${statusSql} as status from intents
     where business_id = $1 and purpose in ('transfer', 'swap', 'swap-approval', 'bridge-approval', 'bridge-burn', 'bridge-reclaim', 'stake',
       'native-stake', 'native-unstake', 'native-withdrawal') and ${heldSql}
     order by created_at, id limit 1000`,
    [businessId],
  )

/**
 * Intents whose outcome this database does not know, oldest first: after a restore each may have been sent.
 */
export const openIntents = (db: Queryable): Promise<Open[]> =>
  db.query<Open>(
    `select ${openColumns}, status from intents
     where next_reconcile_at is not null and status in ('created', 'signed', 'broadcast', 'unknown') order by created_at`,
  )
