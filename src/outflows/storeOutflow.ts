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

/** The columns of a new outflow that its maker decides, in the order of `valuesOf`. */
const columns = [
  ...[
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
  ],
  ...[
    'fee',
    'margin',
    'rounding',
    'destination_id',
    'to_chain',
    'to_token',
    'to_address',
    'to_memo',
    'to_memo_type',
  ],
  ...[
    'to_amount',
    'partner',
    'network_id',
    'currency',
    'local_amount',
    'local_fee',
    'rate',
    'rate_at',
    'rate_source',
  ],
  ...[
    'asked_by_account',
    'asked_by_key',
    'reference',
    'metadata',
    'made_by',
    'proof',
    'created_at',
    'needs_approval',
  ],
  ...['priced_at', 'agreed_amount', 'priced_by', 'price_proof', 'traceparent', 'request_id', 'batch_id'],
]
const placeOf = (column: string) => `$${columns.indexOf(column) + 1}`

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
  tx.send(insertOutflow, values)
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
    Object.fromEntries(columns.map((column, at) => [column, inJson(values[at])])),
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
function valuesOf({ madeBy, prover }: OutflowMaker, wanted: NewOutflow): { id: string; values: unknown[] } {
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
  const values = [
    id,
    kind,
    businessId,
    sessionId,
    paymentId,
    automatic,
    wanted.status,
    chain,
    token,
    String(amount),
    String(parts.fee),
    String(parts.margin),
    String(parts.rounding),
    destinationId,
    wallet?.chain,
    wallet?.token,
    wallet?.address,
    wallet?.memo?.value,
    wallet?.memo?.type,
    wallet && String(wallet.amount),
    bank?.partner,
    bank?.networkId,
    bank?.currency,
    price && String(price.localAmount),
    price?.localFee,
    price?.rate,
    price?.rateAt,
    price?.rateSource,
    wanted.askedByAccount,
    wanted.askedByKey,
    wanted.reference,
    wanted.metadata ?? null,
    madeBy,
    proof,
    createdAt,
    needsApproval,
    price?.pricedAt,
    price && String(price.agreedAmount),
    price && madeBy,
    priceProof,
    traceparent,
    requestId,
    wanted.batchId ?? null,
  ]
  return { id, values }
}
