import { isDeepStrictEqual } from 'node:util'
import { type EventType, recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/db.ts'
import { enqueue } from '../platform/outbox.ts'
import { type Collection, type CollectionSettlement, type CollectionStatus, updateCollection } from './collection.ts'
import { nextStatuses } from './nextOfCollection.ts'
import { presentCollection } from './presentCollection.ts'

/** What the partner said, as it is kept. */
export interface PartnerFacts {
  partnerPaymentId: string
  partnerStatus: string
  partnerUpdatedAt: Date
  partnerAskedAt: Date
  partnerReference: string | null
  bankName: string | null
  bankAccountNumber: string | null
  bankAccountName: string | null
  cryptoAmount: string | null
  rate: string | null
  networkFeeUsd: string | null
  serviceFeeUsd: string | null
  convertedAmount: string | null
  expiresAt: Date | null
  partnerTxId: string | null
}

/** What changes with a state, or without one. */
export interface CollectionChange extends Partial<PartnerFacts> {
  status?: CollectionStatus
  /** A stable code; null: none. */
  reason?: string | null
  tries?: number
  submittedAt?: Date | null
  absentSince?: Date | null
  settlement?: CollectionSettlement
  txId?: string | null
  /** Until a worker asks the partner for it; null: not by itself. */
  nextInMs?: number | null
}

const columns = {
  reason: 'reason',
  tries: 'tries',
  submittedAt: 'submitted_at',
  absentSince: 'absent_since',
  partnerPaymentId: 'partner_payment_id',
  partnerStatus: 'partner_status',
  partnerUpdatedAt: 'partner_updated_at',
  partnerReference: 'partner_reference',
  bankName: 'bank_name',
  bankAccountNumber: 'bank_account_number',
  bankAccountName: 'bank_account_name',
  cryptoAmount: 'crypto_amount',
  rate: 'rate',
  networkFeeUsd: 'network_fee_usd',
  serviceFeeUsd: 'service_fee_usd',
  convertedAmount: 'converted_amount',
  expiresAt: 'expires_at',
  partnerTxId: 'partner_tx_id',
  settlement: 'settlement',
  txId: 'tx_id',
} as const satisfies Record<Exclude<keyof CollectionChange, 'status' | 'partnerAskedAt' | 'nextInMs'>, string>

const events: Readonly<Record<Exclude<CollectionStatus, 'pending'>, EventType>> = {
  processing: 'collection.processing',
  completed: 'collection.completed',
  expired: 'collection.expired',
  failed: 'collection.failed',
  refunded: 'collection.refunded',
}

/**
 * Changes a locked collection: the only writer of its state. Records the event of a new one.
 * @throws Error for a state that does not follow
 */
export async function moveCollection(tx: Tx, before: Collection, change: CollectionChange): Promise<Collection> {
  const { status = before.status } = change
  const isMove = status !== before.status
  if (isMove && !nextStatuses[before.status].includes(status))
    throw new Error(`collection ${before.id} does not become ${status} from ${before.status}`)
  const after = await store(tx, before, { ...change, ...(isMove && change.reason === undefined && { reason: null }) }, status)
  if (isMove && status !== 'pending') await record(tx, after, events[status])
  const isToSettle = after.walletId !== null && (isMove ? status === 'completed' : after.partnerTxId !== before.partnerTxId)
  if (isToSettle && after.walletId !== null) await enqueue(tx, 'collection-settlement', [{ walletId: after.walletId, detectionIds: [] }])
  return after
}

async function store(tx: Tx, before: Collection, change: CollectionChange, status: CollectionStatus): Promise<Collection> {
  const { id, revision } = before
  const values: unknown[] = [id, revision]
  const sets: string[] = []
  const set = (column: string, value: unknown) => sets.push(`${column} = $${values.push(value)}`)
  if (status !== before.status) {
    set('status', status)
    sets.push(status === 'pending' || status === 'processing' ? 'ended_at = null' : 'ended_at = now()')
  }
  for (const [field, column] of Object.entries(columns) as [keyof typeof columns, string][])
    if (change[field] !== undefined && !isDeepStrictEqual(change[field], before[field])) set(column, change[field])
  // Another question with the same answer is no change that a caller sees.
  if (sets.length > 0) sets.push('revision = revision + 1', 'updated_at = now()')
  if (change.partnerAskedAt !== undefined) set('partner_asked_at', change.partnerAskedAt)
  if (change.nextInMs === null) sets.push('next_at = null')
  else if (change.nextInMs !== undefined) sets.push(`next_at = now() + $${values.push(change.nextInMs)} * interval '1 millisecond'`)
  if (sets.length === 0) return before
  const [row] = await updateCollection(tx, sets.join(', '), 'id = $1 and revision = $2', values)
  if (!row) throw new Error(`collection ${id} was changed by another process: lock it first`)
  return row
}

async function record(tx: Tx, collection: Collection, type: EventType): Promise<void> {
  const { businessId, chain, address, token, cryptoAmount, txId } = collection
  const about = { chain, address, symbol: token, amount: cryptoAmount ?? '', txId }
  await recordEvents(tx, businessId, [{ type, data: presentCollection(collection), about }])
}
