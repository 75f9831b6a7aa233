import { lockAutomatic, type Outflow } from '../outflows/outflow.ts'
import { type AutopayoutTarget, readTarget } from '../payouts/planAutomatic.ts'
import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { readHeights } from './readHeights.ts'
import { type PaymentRecord, readPaymentsOf } from './readPayments.ts'
import { type RefundRecord, readRefundsOf } from './readRefunds.ts'

/** What decides a session's new state, apart from the session. */
export interface ToSettle {
  /** Time of the newest confirmed block of its chain; null: no block yet. */
  confirmedTime: Date | null
  payments: PaymentRecord[]
  /** Its automatic payout that is not failed or cancelled, locked until the transaction ends. */
  automatic: Outflow | null
  refunds: RefundRecord[]
  /** Where an automatic payout would go; null: autopayout is off. */
  target: AutopayoutTarget | null
  heights: ReadonlyMap<string, number>
}

/**
 * Reads it in one message to the database, in this order, each statement with what was committed before it.
 * The caller has locked the session, by an earlier statement or by one of the same message.
 */
export async function readToSettle(tx: Tx, sessionId: string): Promise<ToSettle> {
  const [confirmedTime, payments, automatic, refunds, target, heights] = await Promise.all([
    // First: then all blocks up to it are among the payments.
    readClock(tx, sessionId),
    readPaymentsOf(tx, sessionId),
    lockAutomatic(tx, sessionId),
    readRefundsOf(tx, sessionId),
    readTarget(tx, sessionId),
    // After the payments: no block of theirs is above.
    readHeights(tx),
  ])
  return { confirmedTime, payments, automatic, refunds, target, heights }
}

const selectClock = prepared(
  'select c.confirmed_time as "confirmedTime" from pos_sessions p join chain_cursors c on c.chain = p.chain where p.id = $1',
)

async function readClock(tx: Tx, sessionId: string): Promise<Date | null> {
  const [cursor] = await tx.query<{ confirmedTime: Date | null }>(selectClock, [sessionId])
  return cursor?.confirmedTime ?? null
}
