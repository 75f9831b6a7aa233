import { isDeepStrictEqual } from 'node:util'
import { type EventType, type NewEvent, recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import { enqueue } from '../platform/database/outbox.ts'
import {
  type Collection,
  type CollectionSettlement,
  type CollectionStatus,
  updateCollections,
} from './collection.ts'
import { nextStatuses } from './nextOfCollection.ts'
import { presentCollection } from './presentCollection.ts'

/** The partner's report, as it is stored. */
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
  /** A stable code, if any. */
  reason?: string | null
  tries?: number
  submittedAt?: Date | null
  absentSince?: Date | null
  unsureSince?: Date | null
  refusedReason?: string | null
  settlement?: CollectionSettlement
  txId?: string | null
  /** Until a worker reads it from the partner; null: no scheduled read. */
  nextInMs?: number | null
}

const columns = {
  status: 'status',
  reason: 'reason',
  tries: 'tries',
  submittedAt: 'submitted_at',
  absentSince: 'absent_since',
  unsureSince: 'unsure_since',
  refusedReason: 'refused_reason',
  partnerPaymentId: 'partner_payment_id',
  partnerStatus: 'partner_status',
  partnerUpdatedAt: 'partner_updated_at',
  partnerAskedAt: 'partner_asked_at',
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
} as const satisfies Record<Exclude<keyof CollectionChange, 'nextInMs'>, string>

const events: Readonly<Record<Exclude<CollectionStatus, 'pending'>, EventType>> = {
  processing: 'collection.processing',
  completed: 'collection.completed',
  expired: 'collection.expired',
  failed: 'collection.failed',
  refunded: 'collection.refunded',
}

/** A locked collection, and what becomes of it. */
export interface CollectionMove {
  before: Collection
  change: CollectionChange
}

/**
 * Changes a locked collection. Records the event of a new state.
 * @throws Error for a state that does not follow
 */
export async function moveCollection(
  tx: Tx,
  before: Collection,
  change: CollectionChange,
): Promise<Collection> {
  const [after] = await moveCollections(tx, [{ before, change }])
  return after ?? before
}

/**
 * Changes locked collections, each of which is named once: the only writer of their states. Events of new
 * states are recorded in the order of the moves.
 * @returns them as they are then, in that order
 * @throws Error for a state that does not follow
 */
export async function moveCollections(tx: Tx, moves: readonly CollectionMove[]): Promise<Collection[]> {
  const stored = await store(tx, moves)
  const after = moves.map(({ before }) => stored.get(before.id) ?? before)
  const moved = after.filter(({ status }, i) => status !== moves[i]?.before.status)
  record(tx, moved)
  const toSettle = after
    .filter((now, i) => isToSettle(moves[i]?.before ?? now, now))
    .flatMap(({ walletId }) => walletId ?? [])
  await enqueue(
    tx,
    'collection-settlement',
    [...new Set(toSettle)].map((walletId) => ({ walletId, detectionIds: [] })),
  )
  return after
}

function isToSettle(before: Collection, after: Collection): boolean {
  if (after.status !== before.status) return after.status === 'completed'
  return (
    after.partnerTxId !== before.partnerTxId ||
    (after.status === 'completed' && after.cryptoAmount !== before.cryptoAmount)
  )
}

interface ChangedRow {
  id: string
  before: number
  /** Columns with their new values. */
  set: Record<string, unknown>
  isSeen: boolean
  /** Milliseconds until it is due; null: never; undefined: as it is. */
  next: number | null | undefined
}

async function store(tx: Tx, moves: readonly CollectionMove[]): Promise<Map<string, Collection>> {
  const rows = moves.map(rowOf).filter(({ set, next }) => Object.keys(set).length > 0 || next !== undefined)
  if (rows.length === 0) return new Map()
  const after = await updateCollections(
    tx,
    Object.values(columns),
    rows.map(({ next, ...rest }) => ({ ...rest, isDue: next !== undefined, next: next ?? null })),
  )
  const stored = new Map(after.map((each) => [each.id, each]))
  const lost = rows.find(({ id }) => !stored.has(id))
  if (lost) throw new Error(`collection ${lost.id} was changed by another process: lock it first`)
  return stored
}

function rowOf({ before, change }: CollectionMove): ChangedRow {
  const { status = before.status } = change
  const isMove = status !== before.status
  if (isMove && !nextStatuses[before.status].includes(status))
    throw new Error(`collection ${before.id} does not become ${status} from ${before.status}`)
  const wanted = { ...change, status, ...(isMove && change.reason === undefined && { reason: null }) }
  const set: Record<string, unknown> = {}
  for (const [field, column] of Object.entries(columns) as [keyof typeof columns, string][])
    if (wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], before[field]))
      set[column] = wanted[field]
  // Another question with the same answer is no change that a caller sees.
  const isSeen = Object.keys(set).some((column) => column !== columns.partnerAskedAt)
  return { id: before.id, before: before.revision, set, isSeen, next: change.nextInMs }
}

/** Businesses in one order: each has a row that its events lock. */
function record(tx: Tx, moved: readonly Collection[]): void {
  const byBusiness = Map.groupBy(moved, ({ businessId }) => businessId)
  for (const businessId of [...byBusiness.keys()].sort())
    recordEvents(tx, businessId, (byBusiness.get(businessId) ?? []).flatMap(eventOf))
}

function eventOf(collection: Collection): NewEvent[] {
  const { status, chain, address, token, cryptoAmount, txId } = collection
  if (status === 'pending') return []
  const about = { chain, address, symbol: token, amount: cryptoAmount ?? '', txId }
  return [{ type: events[status], data: presentCollection(collection), about }]
}
