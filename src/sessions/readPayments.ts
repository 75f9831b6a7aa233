import type { Memo, MemoType } from '../chains/chain.ts'
import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { isOwnGas } from '../txmgr/fees/ownGas.ts'
import type { Bucket, Payment, PaymentStatus } from './settle.ts'

/** A payment with the fields that only the API and webhooks need. */
export interface PaymentRecord extends Payment {
  sessionId: string
  txId: string
  movementKey: string
  /** Of the token; null for the native coin. */
  contract: string | null
  from: string
  to: string
  memo: Memo | null
  blockHeight: number
  /** Required confirmations; null: the chain must call the block finalized. */
  depth: number | null
  /** How many entries of the ledger moved it. */
  entries: number
}

/**
 * The payments as last settled. The indexer may have written newer states, which would contradict the
 * session's own amounts.
 */
export function asSettled(payments: readonly PaymentRecord[]): PaymentRecord[] {
  return payments.flatMap((payment) =>
    payment.last === null ? [] : [{ ...payment, status: payment.last.status }],
  )
}

export interface PaymentRow {
  sessionId: string
  detectionId: string
  chain: string
  token: string
  amount: string
  /** A string if the row comes as JSON. */
  blockTime: Date | string
  blockHeight: string | number
  depth: number | null
  txId: string
  movementKey: string
  contract: string | null
  fromAddress: string
  toAddress: string
  memo: string | null
  memoType: MemoType | null
  status: PaymentStatus
  generation: number
  lastStatus: PaymentStatus | null
  lastGeneration: number | null
  lastPosted: Bucket | null
  lastHeld: string | null
  entries: number
}

/**
 * Selects every transfer to the addresses of these sessions, in chain order, with its last settled state.
 * Leaves out the platform's own coin, by which it funds the gas of a sweep: no customer paid it.
 * @param sessions SQL: `= $1`, or any of several
 */
const paymentsTo = (sessions: string) => `
  select d.subject_id as "sessionId", d.id as "detectionId", t.chain, t.token, t.amount::text, t.block_time as "blockTime",
    t.block_height as "blockHeight", t.tx_id as "txId", t.movement_key as "movementKey", t.contract, t.from_address as "fromAddress",
    t.to_address as "toAddress", t.memo, t.memo_type as "memoType", d.depth, d.status, d.generation,
    p.status as "lastStatus", p.generation as "lastGeneration", p.posted as "lastPosted", p.held::text as "lastHeld", coalesce(p.entries, 0) as entries
  from detections d join transfers t on t.id = d.transfer_id left join session_payments p on p.detection_id = d.id
  where d.subject_id ${sessions} and not ${isOwnGas}
  order by t.block_time, t.block_height, t.id`

/** Of the sessions `$1::uuid[]`. */
export const selectPayments = paymentsTo('= any($1::uuid[])')
/** Of the session of the outer row `s`. */
export const selectPaymentsOfRow = paymentsTo('= s.id')
const selectPaymentsOf = prepared(paymentsTo('= $1'))

/** The payments of one session, in chain order. */
export async function readPaymentsOf(db: Queryable, sessionId: string): Promise<PaymentRecord[]> {
  return (await db.query<PaymentRow>(selectPaymentsOf, [sessionId])).map(paymentOf)
}

/** The payments of these sessions, in chain order. */
export async function readPayments(db: Queryable, sessionIds: readonly string[]): Promise<PaymentRecord[]> {
  return (await db.query<PaymentRow>(selectPayments, [sessionIds])).map(paymentOf)
}

/** @param row of `selectPayments`, as a row or as JSON */
export function paymentOf(row: PaymentRow): PaymentRecord {
  return {
    sessionId: row.sessionId,
    detectionId: row.detectionId,
    chain: row.chain,
    token: row.token,
    amount: BigInt(row.amount),
    blockTime: new Date(row.blockTime),
    blockHeight: Number(row.blockHeight),
    depth: row.depth,
    txId: row.txId,
    movementKey: row.movementKey,
    contract: row.contract,
    from: row.fromAddress,
    to: row.toAddress,
    memo: row.memo === null || row.memoType === null ? null : { type: row.memoType, value: row.memo },
    status: row.status,
    generation: row.generation,
    entries: row.entries,
    last:
      row.lastStatus === null || row.lastGeneration === null || row.lastPosted === null
        ? null
        : {
            status: row.lastStatus,
            generation: row.lastGeneration,
            posted: row.lastPosted,
            held: BigInt(row.lastHeld ?? 0),
          },
  }
}
