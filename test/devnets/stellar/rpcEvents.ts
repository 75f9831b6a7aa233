import { StrKey, type xdr } from '@stellar/stellar-sdk'
import { metaOf, type View } from './faces.ts'
import type { LedgerRecord, TransactionRecord } from './history.ts'
import { invalidParams, invalidRequest } from './rpcErrors.ts'
import { isoTime, toid } from './values.ts'

/* getEvents: Stellar docs, RPC, "getEvents"; the ids as stellar-rpc's db/event.go makes them. */

const defaultLimit = 100
const maxLimit = 10_000
/** Maximum ledgers scanned per call: stellar-rpc, LedgerScanLimit. */
const scanLimit = 10_000
const maxFilters = 5

/** Largest transaction and operation of a total order id (SEP-35): the position after all others. */
const [lastTransaction, lastOperation] = [2 ** 20 - 1, 2 ** 12 - 1]

interface EventRecord {
  id: string
  event: xdr.ContractEvent
  record: TransactionRecord
  transaction: number
  operation: number
}

const eventId = (ledger: number, transaction: number, operation: number, index: number): string =>
  `${toid(ledger, transaction, operation).toString().padStart(19, '0')}-${String(index).padStart(10, '0')}`

/** Events of a transaction's operations and of the transaction itself, from any metadata version. */
export function eventsOf(record: TransactionRecord): {
  operations: readonly (readonly xdr.ContractEvent[])[]
  transaction: readonly xdr.TransactionEvent[]
} {
  const meta = metaOf(record)
  if (meta.type === 'v4')
    return { operations: meta.v4.operations.map(({ events }) => events), transaction: meta.v4.events }
  if (meta.type === 'v3')
    return { operations: meta.v3.sorobanMeta ? [meta.v3.sorobanMeta.events] : [], transaction: [] }
  return { operations: [], transaction: [] }
}

/**
 * All events of a ledger in the order of their ids: fees first, then by transaction, then refunds. Operations
 * count from 0 here, in Horizon's ids from 1.
 */
function ledgerEvents(ledger: LedgerRecord): EventRecord[] {
  const counts = { before: 0, after: 0 }
  const found = ledger.transactions.flatMap((record, i) => {
    const order = i + 1
    const { operations, transaction } = eventsOf(record)
    const place = (event: xdr.ContractEvent, tx: number, op: number, index: number): EventRecord => ({
      id: eventId(ledger.sequence, tx, op, index),
      event,
      record,
      transaction: tx,
      operation: op,
    })
    let afterThis = 0
    const own = transaction.map(({ stage, event }) => {
      if (stage.name === 'transactionEventStageBeforeAllTxs') return place(event, 0, 0, counts.before++)
      if (stage.name === 'transactionEventStageAfterAllTxs')
        return place(event, lastTransaction, 0, counts.after++)
      return place(event, order, lastOperation, afterThis++)
    })
    return [
      ...own,
      ...operations.flatMap((events, op) => events.map((event, index) => place(event, order, op, index))),
    ]
  })
  return found.sort((a, b) => (a.id < b.id ? -1 : 1))
}

interface Filter {
  type?: string
  contractIds?: string[]
  topics?: string[][]
}

export interface EventsRequest {
  startLedger?: number
  endLedger?: number
  filters?: Filter[]
  pagination?: { cursor?: string; limit?: number }
}

function matchesTopics(topics: readonly string[], pattern: readonly string[]): boolean {
  const open = pattern.at(-1) === '**'
  const segments = open ? pattern.slice(0, -1) : pattern
  const fits = open ? topics.length >= segments.length : topics.length === segments.length
  return fits && segments.every((segment, i) => segment === '*' || segment === topics[i])
}

function matches(event: xdr.ContractEvent, { type, contractIds, topics }: Filter): boolean {
  if (type && !type.split(',').includes(event.type.name)) return false
  if (contractIds?.length && !contractIds.includes(contractOf(event))) return false
  const own = event.body.v0.topics.map((topic) => topic.toXdr('base64'))
  return !topics?.length || topics.some((pattern) => matchesTopics(own, pattern))
}

const contractOf = ({ contractId }: xdr.ContractEvent): string =>
  contractId ? StrKey.encodeContract(contractId.value) : ''

function check(request: EventsRequest): void {
  const { startLedger, endLedger, filters = [], pagination } = request
  if (pagination?.cursor && (startLedger || endLedger))
    throw invalidParams('ledger ranges and cursor cannot both be set')
  if (!pagination?.cursor && (startLedger ?? 0) <= 0) throw invalidParams('startLedger must be positive')
  if ((pagination?.limit ?? 0) > maxLimit) throw invalidParams(`limit must not exceed ${maxLimit}`)
  if (filters.length > maxFilters) throw invalidParams(`maximum ${maxFilters} filters per request`)
  for (const { contractIds = [] } of filters)
    for (const id of contractIds)
      if (!StrKey.isValidContract(id)) throw invalidParams(`filter 1 invalid: contract ID 1 invalid`)
}

export function getEvents(view: View, request: EventsRequest): object {
  check(request)
  const { cursor, limit = defaultLimit } = request.pagination ?? {}
  const start = cursor ? Number(BigInt(cursor.split('-')[0] ?? 0) >> 32n) : (request.startLedger ?? 0)
  const [oldest, latest] = [view.oldest(), view.latest()]
  if (start < oldest.sequence || start > latest.sequence)
    throw invalidRequest(
      `startLedger must be within the ledger range: ${oldest.sequence} - ${latest.sequence}`,
    )
  const end = Math.min(request.endLedger || Number.MAX_SAFE_INTEGER, latest.sequence + 1, start + scanLimit)
  const selected = (event: xdr.ContractEvent) =>
    !request.filters?.length || request.filters.some((filter) => matches(event, filter))
  const events: object[] = []
  let last = ''
  for (let sequence = start; sequence < end && events.length < limit; sequence++) {
    const ledger = view.ledger(sequence)
    for (const each of ledger ? ledgerEvents(ledger) : []) {
      if (events.length >= limit) break
      if (!ledger || (cursor && each.id <= cursor) || !selected(each.event)) continue
      events.push(eventInfo(ledger, each))
      last = each.id
    }
  }
  return {
    events,
    cursor: events.length === limit ? last : eventId(end - 1, lastTransaction, lastOperation, 2 ** 32 - 1),
    latestLedger: latest.sequence,
    oldestLedger: oldest.sequence,
    latestLedgerCloseTime: String(latest.closeTime),
    oldestLedgerCloseTime: String(oldest.closeTime),
  }
}

const eventInfo = (
  { sequence, closeTime }: LedgerRecord,
  { id, event, record, transaction, operation }: EventRecord,
) => ({
  type: event.type.name,
  ledger: sequence,
  ledgerClosedAt: isoTime(closeTime),
  contractId: contractOf(event),
  id,
  operationIndex: operation,
  transactionIndex: transaction,
  inSuccessfulContractCall: record.successful,
  txHash: record.hash,
  topic: event.body.v0.topics.map((topic) => topic.toXdr('base64')),
  value: event.body.v0.data.toXdr('base64'),
})
