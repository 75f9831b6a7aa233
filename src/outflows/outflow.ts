import type { Memo, MemoType } from '../chains/chain.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'

/** `suspense`: money of a payment that named no session goes back. */
export type OutflowKind = 'payout' | 'refund' | 'top_up' | 'suspense'

/**
 * `awaiting_claim`: a customer has to name an address. `awaiting_approval`: a second owner has to approve it.
 * `pending`: nothing has left, and nothing can have. `processing`: it may have left. `unknown`: only the
 * chain or the partner can report it, and neither does. The last four are ends; `completed` becomes
 * `failed` where the chain takes it back, and `returned` where the bank does.
 */
export type OutflowStatus =
  | 'awaiting_claim'
  | 'awaiting_approval'
  | 'pending'
  | 'processing'
  | 'unknown'
  | 'completed'
  | 'returned'
  | 'failed'
  | 'cancelled'

/** Where money on a chain goes. */
export interface WalletTarget {
  chain: string
  token: string
  /** Normal form. */
  address: string
  memo: Memo | null
  /** Base units of the token. */
  amount: bigint
}

/** Where money at a partner goes: the account is sealed in the destination. */
export interface BankTarget {
  partner: string
  networkId: string
  currency: string
  /** Null until it is priced. */
  price: StoredPrice | null
}

export interface BankPrice {
  /** Whole units of the currency. */
  localAmount: bigint
  /** Of the platform, in units of the currency. */
  localFee: string
  /** Units of the currency for one token: the mid rate. */
  rate: string
  rateAt: Date | null
  rateSource: string | null
}

export interface StoredPrice extends BankPrice {
  /** When it was decided; null: by a version that did not record it. */
  pricedAt: Date | null
  /** What the bank was to get by the price that was last agreed to, in whole units. */
  agreedAmount: bigint
}

/** How an operator ended an outflow that neither chain nor partner ended. */
export interface HandEnd {
  by: string
  evidence: string
  /** The transaction that was its own. */
  txId: string | null
}

/** One thing that leaves the platform, at most once. */
export interface Outflow {
  id: string
  kind: OutflowKind
  /** Null: of the platform (`top_up`, `suspense`). */
  businessId: string | null
  sessionId: string | null
  /** Of kind `suspense`: the detection. */
  paymentId: string | null
  automatic: boolean
  status: OutflowStatus
  reason: string | null
  revision: number
  /** The asset that is taken, and base units of it: `amount` is all, the others are parts of it. */
  chain: string
  token: string
  amount: bigint
  fee: bigint
  margin: bigint
  rounding: bigint
  destinationId: string | null
  /** The payout batch that it was requested in. */
  batchId: string | null
  /** Exactly one of the two, once it is known where it goes. */
  wallet: WalletTarget | null
  bank: BankTarget | null
  intentId: string | null
  /** Intents and submissions that ended before anything left. */
  tries: number
  submittedAt: Date | null
  /** When the partner reported that it does not have it. */
  absentSince: Date | null
  partnerPaymentId: string | null
  /** The partner's own term. */
  partnerStatus: string | null
  /** What the partner took, in millionths of a US dollar. */
  partnerCost: bigint | null
  /** What the partner gave back when the bank returned the payout, in the same unit. */
  partnerReturned: bigint | null
  /** A submission had no answer, and the partner reported no payment afterwards. */
  outcomeLostAt: Date | null
  paidElsewhere: string | null
  byHand: HandEnd | null
  /** When chain or partner contradicted the operator. */
  contradictedAt: Date | null
  /**
   * Its money was to be given back while the database was restored: its session is settled again before it
   * may leave.
   */
  releaseWaits: boolean
  /** Nothing leaves before a second owner has approved it. */
  needsApproval: boolean
  askedByAccount: string | null
  askedByKey: string | null
  reference: string | null
  metadata: Record<string, unknown> | null
  madeBy: 'api' | 'worker'
  /** 1: of a version that did not prove prices. */
  proofVersion: 1 | 2
  /** As text, exact: the claim of a worker, which the next change makes another. */
  nextAt: string | null
  createdAt: Date
  updatedAt: Date
  completedAt: Date | null
}

const columns = `id, kind, business_id as "businessId", session_id as "sessionId", payment_id as "paymentId", automatic, status, reason, revision, chain, token,
  amount, fee, margin, rounding, destination_id as "destinationId", batch_id as "batchId", to_chain as "toChain", to_token as "toToken", to_address as "toAddress", to_memo as "toMemo",
  to_memo_type as "toMemoType", to_amount as "toAmount", partner, network_id as "networkId", currency, local_amount as "localAmount",
  trim_scale(local_fee)::text as "localFee", trim_scale(rate)::text as rate, rate_at as "rateAt", rate_source as "rateSource", intent_id as "intentId", tries,
  submitted_at as "submittedAt", absent_since as "absentSince", partner_payment_id as "partnerPaymentId", partner_status as "partnerStatus", partner_cost as "partnerCost",
  partner_returned as "partnerReturned", outcome_lost_at as "outcomeLostAt",
  paid_elsewhere as "paidElsewhere", ended_by as "endedBy", evidence, ended_tx_id as "endedTxId", contradicted_at as "contradictedAt", release_waits as "releaseWaits", needs_approval as "needsApproval", asked_by_account as "askedByAccount", asked_by_key as "askedByKey", reference, metadata, made_by as "madeBy",
  proof_version as "proofVersion", priced_at as "pricedAt", agreed_amount as "agreedAmount", next_at::text as "nextAt", created_at as "createdAt", updated_at as "updatedAt", completed_at as "completedAt"`

interface Ended {
  endedBy: string | null
  evidence: string | null
  endedTxId: string | null
}
interface Places {
  toChain: string | null
  toToken: string | null
  toAddress: string | null
  toMemo: string | null
  toMemoType: MemoType | null
  toAmount: string | null
  partner: string | null
  networkId: string | null
  currency: string | null
  localAmount: string | null
  localFee: string | null
  rate: string | null
  rateAt: Date | null
  rateSource: string | null
  pricedAt: Date | null
  agreedAmount: string | null
}
type Amount = 'amount' | 'fee' | 'margin' | 'rounding'
type Row = Omit<Outflow, Amount | 'wallet' | 'bank' | 'partnerCost' | 'partnerReturned' | 'byHand'> &
  Places &
  Ended &
  Record<Amount, string> &
  Record<'partnerCost' | 'partnerReturned', string | null>

function fromRow(row: Row): Outflow {
  const { toChain, toToken, toAddress, toMemo, toMemoType, toAmount, partner, networkId, currency } = row
  const {
    amount,
    fee,
    margin,
    rounding,
    partnerCost,
    partnerReturned,
    endedBy,
    evidence,
    endedTxId,
    ...rest
  } = row
  const isWallet = toChain !== null && toToken !== null && toAddress !== null && toAmount !== null
  return {
    id: rest.id,
    kind: rest.kind,
    businessId: rest.businessId,
    sessionId: rest.sessionId,
    paymentId: rest.paymentId,
    automatic: rest.automatic,
    status: rest.status,
    reason: rest.reason,
    revision: rest.revision,
    chain: rest.chain,
    token: rest.token,
    amount: BigInt(amount),
    fee: BigInt(fee),
    margin: BigInt(margin),
    rounding: BigInt(rounding),
    destinationId: rest.destinationId,
    batchId: rest.batchId,
    wallet: isWallet
      ? {
          chain: toChain,
          token: toToken,
          address: toAddress,
          memo: toMemo !== null && toMemoType !== null ? { value: toMemo, type: toMemoType } : null,
          amount: BigInt(toAmount),
        }
      : null,
    bank:
      partner !== null && networkId !== null && currency !== null
        ? { partner, networkId, currency, price: priceOf(row) }
        : null,
    intentId: rest.intentId,
    tries: rest.tries,
    submittedAt: rest.submittedAt,
    absentSince: rest.absentSince,
    partnerPaymentId: rest.partnerPaymentId,
    partnerStatus: rest.partnerStatus,
    partnerCost: partnerCost === null ? null : BigInt(partnerCost),
    partnerReturned: partnerReturned === null ? null : BigInt(partnerReturned),
    outcomeLostAt: rest.outcomeLostAt,
    paidElsewhere: rest.paidElsewhere,
    byHand: endedBy !== null && evidence !== null ? { by: endedBy, evidence, txId: endedTxId } : null,
    contradictedAt: rest.contradictedAt,
    releaseWaits: rest.releaseWaits,
    needsApproval: rest.needsApproval,
    askedByAccount: rest.askedByAccount,
    askedByKey: rest.askedByKey,
    reference: rest.reference,
    metadata: rest.metadata,
    madeBy: rest.madeBy,
    proofVersion: rest.proofVersion,
    nextAt: rest.nextAt,
    createdAt: rest.createdAt,
    updatedAt: rest.updatedAt,
    completedAt: rest.completedAt,
  }
}

function priceOf({
  localAmount,
  localFee,
  rate,
  rateAt,
  rateSource,
  pricedAt,
  agreedAmount,
}: Places): StoredPrice | null {
  if (localAmount === null || localFee === null || rate === null) return null
  const amount = BigInt(localAmount)
  const agreed = agreedAmount === null ? amount : BigInt(agreedAmount)
  return { localAmount: amount, localFee, rate, rateAt, rateSource, pricedAt, agreedAmount: agreed }
}

/**
 * @param where SQL over the table `outflows`, with `values` from $1 on; names `business_id` where a tenant
 *   requests it
 */
export async function readOutflows(
  db: Queryable,
  where: string,
  values: readonly unknown[],
): Promise<Outflow[]> {
  return (await db.query<Row>(selectWhere(where), [...values])).map(fromRow)
}

/** Rows in the order of these ids. @throws Error if one does not exist */
export function inOrder(ids: readonly string[], outflows: readonly Outflow[]): Outflow[] {
  const byId = new Map(outflows.map((outflow) => [outflow.id, outflow]))
  return ids.map((id) => {
    const outflow = byId.get(id)
    if (!outflow) throw new Error(`outflow ${id} is gone`)
    return outflow
  })
}

const selectWhere = (where: string) => `select ${columns} from outflows where ${where}`

const selectOne = prepared(selectWhere('id = $1'))

/** As the caller's own transaction has stored it. @throws Error if it does not exist */
export async function readStored(tx: Tx, id: string): Promise<Outflow> {
  const [row] = await tx.query<Row>(selectOne, [id])
  if (!row) throw new Error(`outflow ${id} is gone`)
  return fromRow(row)
}

const selectAutomatic = prepared(
  selectWhere(
    "session_id = $1 and automatic and status not in ('failed', 'cancelled', 'returned') for update",
  ),
)

/**
 * Locks the automatic payout of a session that is not failed, cancelled or returned, until the transaction
 * ends; null without one.
 */
export async function lockAutomatic(tx: Tx, sessionId: string): Promise<Outflow | null> {
  const [row] = await tx.query<Row>(selectAutomatic, [sessionId])
  return row ? fromRow(row) : null
}

/** Locks an outflow until the transaction ends; null if it does not exist. */
export async function lockOutflow(tx: Tx, id: string): Promise<Outflow | null> {
  const [row] = await readOutflows(tx, 'id = $1 for update', [id])
  return row ?? null
}

/** Locks an outflow that this worker has claimed; null if it has changed since. */
export async function lockClaimed(tx: Tx, { id, nextAt }: Outflow): Promise<Outflow | null> {
  const [row] = await readOutflows(tx, 'id = $1 and next_at = $2::timestamptz for update', [id, nextAt])
  return row ?? null
}
