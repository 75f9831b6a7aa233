import type { OutflowStatus } from '../outflows/outflow.ts'
import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'

/** How the amount of a refund was given. */
export type RefundKind = 'whole' | 'excess' | 'rest' | 'amount'

/** A refund of a session, as its session needs it. */
export interface RefundRecord {
  sessionId: string
  id: string
  kind: RefundKind
  status: OutflowStatus
  chain: string
  token: string
  /** Base units. */
  amount: bigint
  txHash: string | null
  createdAt: Date
  completedAt: Date | null
  /** Its event was recorded. */
  isReported: boolean
}

export interface RefundRow extends Omit<RefundRecord, 'amount' | 'createdAt' | 'completedAt'> {
  amount: string
  /** Strings if the row comes as JSON. */
  createdAt: Date | string
  completedAt: Date | string | null
}

/** @param sessions SQL: `= $1`, or any of several */
const refundsOf = (sessions: string) => `
  select o.session_id as "sessionId", o.id, r.kind, o.status, o.chain, o.token, o.amount::text, i.tx_id as "txHash", o.created_at as "createdAt",
    o.completed_at as "completedAt", o.reported_at is not null as "isReported"
  from outflows o join refunds r on r.outflow_id = o.id left join intents i on i.id = o.intent_id
  where o.session_id ${sessions} and o.kind = 'refund' order by o.id desc`

/** Selects the refunds of the sessions `$1::uuid[]`, newest first. */
export const selectRefunds = refundsOf('= any($1::uuid[])')
const selectRefundsOf = prepared(refundsOf('= $1'))

/** @param row of `selectRefunds`, as a row or as JSON */
export const refundOf = ({ amount, createdAt, completedAt, ...row }: RefundRow): RefundRecord => ({
  ...row,
  amount: BigInt(amount),
  createdAt: new Date(createdAt),
  completedAt: completedAt === null ? null : new Date(completedAt),
})

/** Base units of the session's token on its chain that went back to the customer, or go back. */
export const givenBack = (
  { chain, token }: { chain: string; token: string },
  refunds: readonly RefundRecord[],
): bigint =>
  refunds.reduce(
    (sum, each) => sum + (each.chain === chain && each.token === token && counts(each) ? each.amount : 0n),
    0n,
  )

const counts = ({ status }: RefundRecord): boolean => status !== 'failed' && status !== 'cancelled'

/** The refunds of these sessions, newest first. */
export const readRefunds = async (db: Queryable, sessionIds: readonly string[]): Promise<RefundRecord[]> =>
  (await db.query<RefundRow>(selectRefunds, [sessionIds])).map(refundOf)

/** The refunds of one session, newest first. */
export const readRefundsOf = async (db: Queryable, sessionId: string): Promise<RefundRecord[]> =>
  (await db.query<RefundRow>(selectRefundsOf, [sessionId])).map(refundOf)
