import type { Queryable } from '../../platform/database/db.ts'
import { prepared } from '../../platform/database/prepared.ts'
import {
  asSettled,
  type PaymentRecord,
  type PaymentRow,
  paymentOf,
  selectPaymentsOfRow,
} from '../readPayments.ts'
import { type StoredSession, sessionColumns } from '../storedSession.ts'

/** A session as its checkout page needs it. */
export interface StoredCheckout {
  session: StoredSession
  /** As last settled, in chain order. */
  payments: PaymentRecord[]
  merchant: Merchant
}

/** Its business: what a customer may see, and what decides on that. */
export interface Merchant {
  name: string
  /** The hash of its logo. */
  logo: string | null
  returnHosts: string[]
}

type Row = StoredSession & { payments: PaymentRow[]; merchant: Merchant }

const select = prepared(`
  select ${sessionColumns},
    (select coalesce(json_agg(payment), '[]') from (${selectPaymentsOfRow}) payment) as payments,
    (select json_build_object('name', b.name, 'returnHosts', b.return_hosts, 'logo',
      (select hash from business_logos where business_id = b.id)) from businesses b where b.id = s.business_id) as merchant
  from pos_sessions s where s.id = any($1::uuid[])`)

/**
 * Reads sessions for their checkout pages, in one statement. A token proves the right to each id, so there is
 * no business in the condition.
 */
export async function readCheckouts(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, StoredCheckout>> {
  const rows = await db.query<Row>(select, [ids])
  return new Map(
    rows.map(({ payments, merchant, ...session }) => [
      session.id,
      { session, payments: asSettled(payments.map(paymentOf)), merchant },
    ]),
  )
}

const heads = prepared(`
  select c.chain, c.height,
    (select b.time from blocks b where b.chain = c.chain and b.height = c.height and b.canonical) as time
  from chain_cursors c where c.height is not null`)

/** The newest block that was read of each chain. */
export async function readHeads(db: Queryable): Promise<Map<string, { height: number; time: Date | null }>> {
  const rows = await db.query<{ chain: string; height: string; time: Date | null }>(heads, [])
  return new Map(rows.map(({ chain, height, time }) => [chain, { height: Number(height), time }]))
}
