import type { Prover } from '../custody/proof.ts'
import type { Entry } from '../ledger/entry.ts'
import type { Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { newId } from '../platform/ids.ts'
import { currentCause } from '../platform/telemetry/scope.ts'
import {
  type BankPrice,
  type BankTarget,
  inOrder,
  type Outflow,
  type OutflowKind,
  type OutflowStatus,
  readOutflows,
  readStored,
  type WalletTarget,
} from './outflow.ts'
import { reservation } from './outflowEntries.ts'
import { outflowMessage, priceMessage } from './outflowProof.ts'

export interface NewOutflow {
  kind: OutflowKind
  businessId: string | null
  sessionId?: string | null
  paymentId?: string | null
  automatic?: boolean
  /** True by itself where it waits for an approval at once. */
  needsApproval?: boolean
  status: Extract<OutflowStatus, 'awaiting_claim' | 'awaiting_approval' | 'pending'>
  /** The asset that is taken, and base units of it. */
  chain: string
  token: string
  amount: bigint
  fee?: bigint
  margin?: bigint
  rounding?: bigint
  destinationId?: string | null
  /** The payout batch that it is requested in. */
  batchId?: string | null
  wallet: WalletTarget | null
  bank: (Omit<BankTarget, 'price'> & { price: BankPrice | null }) | null
  askedByAccount?: string | null
  askedByKey?: string | null
  reference?: string | null
  metadata?: Record<string, unknown> | null
}

/** The process that makes an outflow, for its proof. */
export interface OutflowMaker {
  madeBy: 'api' | 'worker'
  prover: Prover
}

/** The columns of a new outflow that its maker decides. */
const columns = [
  'id',
  'kind',
  'business_id',
  'session_id',
  'payment_id',
  'automatic',
  'status',
  'chain',
  'token',
  'amount',
  'fee',
  'margin',
  'rounding',
  'destination_id',
  'to_chain',
  'to_token',
  'to_address',
  'to_memo',
  'to_memo_type',
  'to_amount',
  'partner',
  'network_id',
  'currency',
  'local_amount',
  'local_fee',
  'rate',
  'rate_at',
  'rate_source',
  'asked_by_account',
  'asked_by_key',
  'reference',
  'metadata',
  'made_by',
  'proof',
  'created_at',
  'needs_approval',
  'priced_at',
  'agreed_amount',
  'priced_by',
  'price_proof',
  'traceparent',
  'request_id',
  'batch_id',
] as const
type Column = (typeof columns)[number]
const placeOf = (column: Column) => `$${columns.indexOf(column) + 1}`

const insertOutflow = prepared(
  `insert into outflows (${columns.join(', ')}, updated_at, next_at, counted_at, proof_version)
     values (${columns.map(placeOf).join(', ')}, ${placeOf('created_at')}, now(),
       case when not ${placeOf('automatic')} then ${placeOf('created_at')}::timestamptz end, 2)`,
)
const insertMany = `insert into outflows (${columns.join(', ')}, updated_at, next_at, counted_at, proof_version)
  select ${columns.join(', ')}, created_at, now(), case when not automatic then created_at end, 2
  from json_populate_recordset(null::outflows, $1::json)`
const wakeWorkers = prepared("select pg_notify('cowry_payouts', '')")

/**
 * Stores an outflow. The caller posts the entries that hold its money, in the same transaction, together with
 * its own (`post`).
 * @returns the row, and entries to post: no entry for an outflow of the platform
 */
export async function storeOutflow(
  maker: OutflowMaker,
  tx: Tx,
  wanted: NewOutflow,
): Promise<{ outflow: Outflow; entries: Entry[] }> {
  const { id, values } = valuesOf(maker, wanted)
  tx.send(
    insertOutflow,
    columns.map((column) => values[column]),
  )
  tx.send(wakeWorkers, [])
  const outflow = await readStored(tx, id)
  return { outflow, entries: reservation(outflow) }
}

/**
 * The same of many, with as few statements.
 * @returns the rows in the order of `wanted`
 */
export async function storeOutflows(
  maker: OutflowMaker,
  tx: Tx,
  wanted: readonly NewOutflow[],
): Promise<{ outflows: Outflow[]; entries: Entry[] }> {
  const made = wanted.map((each) => valuesOf(maker, each))
  const rows = made.map(({ values }) =>
    Object.fromEntries(columns.map((column) => [column, inJson(values[column])])),
  )
  await tx.query(insertMany, [JSON.stringify(rows)])
  tx.send(wakeWorkers, [])
  const ids = made.map(({ id }) => id)
  const outflows = inOrder(ids, await readOutflows(tx, 'id = any($1::uuid[])', [ids]))
  return { outflows, entries: outflows.flatMap(reservation) }
}

/** A value of a column, as `json_populate_recordset` takes it. */
const inJson = (value: unknown): unknown => (Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value)

/** What a new outflow stores, with its proofs. */
function valuesOf(
  { madeBy, prover }: OutflowMaker,
  wanted: NewOutflow,
): { id: string; values: Record<Column, unknown> } {
  const id = newId()
  const createdAt = new Date()
  const { traceparent, requestId } = currentCause()
  const needsApproval = wanted.needsApproval ?? wanted.status === 'awaiting_approval'
  const parts = { fee: wanted.fee ?? 0n, margin: wanted.margin ?? 0n, rounding: wanted.rounding ?? 0n }
  const {
    kind,
    businessId,
    chain,
    token,
    amount,
    wallet,
    bank,
    sessionId = null,
    paymentId = null,
    automatic = false,
    destinationId = null,
  } = wanted
  const proof = prover.prove(
    outflowMessage({
      id,
      kind,
      businessId,
      sessionId,
      paymentId,
      automatic,
      needsApproval,
      chain,
      token,
      amount,
      destinationId,
      wallet,
      bank,
      createdAt,
      proofVersion: 2,
      ...parts,
    }),
  )
  const price = bank?.price
    ? { ...bank.price, pricedAt: createdAt, agreedAmount: bank.price.localAmount }
    : null
  const priceProof =
    bank && price ? prover.prove(priceMessage({ id, currency: bank.currency, price, ...parts })) : null
  const values: Record<Column, unknown> = {
    id,
    kind,
    business_id: businessId,
    session_id: sessionId,
    payment_id: paymentId,
    automatic,
    status: wanted.status,
    chain,
    token,
    amount: String(amount),
    fee: String(parts.fee),
    margin: String(parts.margin),
    rounding: String(parts.rounding),
    destination_id: destinationId,
    to_chain: wallet?.chain,
    to_token: wallet?.token,
    to_address: wallet?.address,
    to_memo: wallet?.memo?.value,
    to_memo_type: wallet?.memo?.type,
    to_amount: wallet && String(wallet.amount),
    partner: bank?.partner,
    network_id: bank?.networkId,
    currency: bank?.currency,
    local_amount: price && String(price.localAmount),
    local_fee: price?.localFee,
    rate: price?.rate,
    rate_at: price?.rateAt,
    rate_source: price?.rateSource,
    asked_by_account: wanted.askedByAccount,
    asked_by_key: wanted.askedByKey,
    reference: wanted.reference,
    metadata: wanted.metadata ?? null,
    made_by: madeBy,
    proof,
    created_at: createdAt,
    needs_approval: needsApproval,
    priced_at: price?.pricedAt,
    agreed_amount: price && String(price.agreedAmount),
    priced_by: price && madeBy,
    price_proof: priceProof,
    traceparent,
    request_id: requestId,
    batch_id: wanted.batchId ?? null,
  }
  return { id, values }
}
