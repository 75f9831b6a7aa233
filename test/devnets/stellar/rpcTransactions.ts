import { parseEnvelope } from './envelope.ts'
import type { View } from './faces.ts'
import type { LedgerRecord, TransactionRecord } from './history.ts'
import { invalidParams, invalidRequest } from './rpcErrors.ts'
import { eventsOf } from './rpcEvents.ts'
import { toid } from './values.ts'

/* getTransaction, getTransactions and sendTransaction: Stellar docs, RPC, "Methods". */

const defaultLimit = 50
const maxLimit = 200

export interface Page {
  startLedger?: number
  pagination?: { cursor?: string; limit?: number }
}

/** @throws stellar-rpc's error for a page that is unavailable */
export function checkPage(view: View, { startLedger, pagination }: Page): { limit: number } {
  const [oldest, latest] = [view.oldest().sequence, view.latest().sequence]
  if (pagination?.cursor) {
    if (startLedger) throw invalidRequest('startLedger and cursor cannot both be set')
  } else if (!startLedger || startLedger < oldest || startLedger > latest) {
    throw invalidRequest(
      `start ledger must be between the oldest ledger: ${oldest} and the latest ledger: ${latest} for this rpc instance`,
    )
  }
  if ((pagination?.limit ?? 0) > maxLimit) throw invalidRequest(`limit must not exceed ${maxLimit}`)
  return { limit: pagination?.limit || defaultLimit }
}

/** A transaction as both methods return it. */
function details(record: TransactionRecord, ledger: LedgerRecord, index: number): object {
  const { operations, transaction } = eventsOf(record)
  return {
    status: record.successful ? 'SUCCESS' : 'FAILED',
    txHash: record.hash,
    applicationOrder: index + 1,
    feeBump: record.innerHash !== null,
    envelopeXdr: record.envelope,
    resultXdr: record.result,
    resultMetaXdr: record.meta,
    events: {
      transactionEventsXdr: transaction.map((event) => event.toXdr('base64')),
      contractEventsXdr: operations.map((events) => events.map((event) => event.toXdr('base64'))),
    },
    ledger: ledger.sequence,
  }
}

/**
 * The cursor is the last transaction scanned, as in stellar-rpc. At the head it steps back: a page without
 * new transactions names the start of the last ledger, and the next page returns that ledger's transactions
 * again.
 */
export function getTransactions(view: View, request: Page): object {
  const { limit } = checkPage(view, request)
  const cursor = request.pagination?.cursor
  if (cursor && !/^\d+$/.test(cursor))
    throw invalidParams(`strconv.ParseInt: parsing "${cursor}": invalid syntax`)
  const after = cursor ? BigInt(cursor) : null
  const start = after === null ? (request.startLedger ?? 0) : Number(after >> 32n)
  const firstOrder = after === null ? 1 : Number((after >> 12n) & 0xfffffn) + 1
  if (start < view.oldest().sequence)
    throw invalidParams(`database does not contain metadata for ledger: ${start}`)
  const transactions: object[] = []
  let position = toid(0, 0, 0)
  for (const ledger of view.from(start)) {
    position = toid(ledger.sequence, 0, 1)
    const skip = ledger.sequence === start ? firstOrder - 1 : 0
    for (const [i, record] of ledger.transactions.slice(skip).entries()) {
      const index = skip + i
      position = toid(ledger.sequence, index + 1, 1)
      transactions.push({ ...details(record, ledger, index), createdAt: ledger.closeTime })
      if (transactions.length >= limit) break
    }
    if (transactions.length >= limit) break
  }
  const [latest, oldest] = [view.latest(), view.oldest()]
  return {
    transactions,
    latestLedger: latest.sequence,
    latestLedgerCloseTimestamp: latest.closeTime,
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTimestamp: oldest.closeTime,
    cursor: String(position),
  }
}

const hashLength = 64

export function getTransaction(view: View, { hash = '' }: { hash?: string }): object {
  if (hash.length !== hashLength) throw invalidParams(`unexpected hash length (${hash.length})`)
  const [latest, oldest] = [view.latest(), view.oldest()]
  const range = {
    latestLedger: latest.sequence,
    latestLedgerCloseTime: String(latest.closeTime),
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTime: String(oldest.closeTime),
  }
  const place = view.find(hash)
  if (!place || place.ledger.sequence < oldest.sequence)
    return {
      status: 'NOT_FOUND',
      ...range,
      txHash: hash,
      applicationOrder: 0,
      feeBump: false,
      ledger: 0,
      createdAt: '0',
    }
  return {
    ...range,
    ...details(place.record, place.ledger, place.index),
    createdAt: String(place.ledger.closeTime),
  }
}

export function sendTransaction(view: View, { transaction = '' }: { transaction?: string }): object {
  const [latest, { chain, flags }] = [view.latest(), view]
  const hash = hashOf(view, transaction)
  const answer = { hash, latestLedger: latest.sequence, latestLedgerCloseTime: String(latest.closeTime) }
  if (flags.tryAgainLater) return { status: 'TRY_AGAIN_LATER', ...answer }
  if (flags.swallow) return { status: 'PENDING', ...answer }
  const done = chain.submit(transaction)
  return {
    status: done.status,
    ...(done.status === 'ERROR' ? { errorResultXdr: done.result.toXdr('base64') } : {}),
    ...answer,
  }
}

function hashOf({ chain }: View, transaction: string): string {
  try {
    return parseEnvelope(transaction, chain.network).hash
  } catch {
    throw invalidParams('invalid_xdr')
  }
}
