import type { Memo, MemoType } from '../chains/chain.ts'
import type { Queryable } from '../platform/db.ts'
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
}

/** The payments as last settled. The indexer may have written newer states, which would contradict the session's own amounts. */
export function asSettled(payments: readonly PaymentRecord[]): PaymentRecord[] {
  return payments.flatMap((payment) => (payment.last === null ? [] : [{ ...payment, status: payment.last.status }]))
}

export interface PaymentRow {
  session_id: string
  detection_id: string
  chain: string
  token: string
  amount: string
  /** A string if the row comes as JSON. */
  block_time: Date | string
  block_height: string | number
  depth: number | null
  tx_id: string
  movement_key: string
  contract: string | null
  from_address: string
  to_address: string
  memo: string | null
  memo_type: MemoType | null
  status: PaymentStatus
  generation: number
  last_status: PaymentStatus | null
  last_generation: number | null
  last_posted: Bucket | null
}

/** Selects every transfer to the addresses of the sessions `$1::uuid[]`, in chain order, with its last settled state. */
export const selectPayments = `
  select d.subject_id as session_id, d.id as detection_id, t.chain, t.token, t.amount::text, t.block_time, t.block_height, t.tx_id, t.movement_key, t.contract, t.from_address,
    t.to_address, t.memo, t.memo_type, d.depth, d.status, d.generation, p.status as last_status, p.generation as last_generation, p.posted as last_posted
  from detections d join transfers t on t.id = d.transfer_id left join session_payments p on p.detection_id = d.id
  where d.subject_id = any($1::uuid[]) order by t.block_time, t.block_height, t.id`

/** The payments of these sessions, in chain order. */
export async function readPayments(db: Queryable, sessionIds: readonly string[]): Promise<PaymentRecord[]> {
  return (await db.query<PaymentRow>(selectPayments, [sessionIds])).map(paymentOf)
}

/** @param row of `selectPayments`, as a row or as JSON */
export function paymentOf(row: PaymentRow): PaymentRecord {
  return {
    sessionId: row.session_id,
    detectionId: row.detection_id,
    chain: row.chain,
    token: row.token,
    amount: BigInt(row.amount),
    blockTime: new Date(row.block_time),
    blockHeight: Number(row.block_height),
    depth: row.depth,
    txId: row.tx_id,
    movementKey: row.movement_key,
    contract: row.contract,
    from: row.from_address,
    to: row.to_address,
    memo: row.memo === null || row.memo_type === null ? null : { type: row.memo_type, value: row.memo },
    status: row.status,
    generation: row.generation,
    last:
      row.last_status === null || row.last_generation === null || row.last_posted === null
        ? null
        : { status: row.last_status, generation: row.last_generation, posted: row.last_posted },
  }
}
