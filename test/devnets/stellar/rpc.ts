import { xdr } from '@stellar/stellar-sdk'
import { ledgerEntryOf } from './entries.ts'
import type { View } from './faces.ts'
import { closeMeta, headerEntry, type LedgerRecord, protocolVersion } from './history.ts'
import { entryOfKey } from './ledgerKeys.ts'
import { invalidParams, methodNotFound, RpcError } from './rpcErrors.ts'
import { type EventsRequest, getEvents } from './rpcEvents.ts'
import { checkPage, getTransaction, getTransactions, type Page, sendTransaction } from './rpcTransactions.ts'

/* Stellar RPC, as of its version 23 and later: Stellar docs, RPC, "Methods". */

/** A week of ledgers at five seconds: stellar-rpc's default `history-retention-window`. */
const retentionWindow = 120_960

/** The answer to one JSON-RPC call. */
export function answerRpc(view: View, friendbotUrl: string, body: unknown): object {
  const { id = null, method, params } = (body ?? {}) as { id?: unknown; method?: string; params?: object }
  try {
    return { jsonrpc: '2.0', id, result: call(view, friendbotUrl, method ?? '', params ?? {}) }
  } catch (error) {
    if (error instanceof RpcError)
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    throw error
  }
}

function call(view: View, friendbotUrl: string, method: string, params: object): object {
  const latest = view.latest()
  switch (method) {
    case 'getHealth':
      return {
        status: 'healthy',
        latestLedger: latest.sequence,
        latestLedgerCloseTime: String(latest.closeTime),
        oldestLedger: view.oldest().sequence,
        oldestLedgerCloseTime: String(view.oldest().closeTime),
        ledgerRetentionWindow: retentionWindow,
      }
    case 'getNetwork':
      return { friendbotUrl, passphrase: view.passphrase, protocolVersion }
    case 'getVersionInfo':
      return {
        version: 'devnet',
        commitHash: '',
        buildTimestamp: '',
        captiveCoreVersion: 'devnet',
        protocolVersion,
      }
    case 'getFeeStats':
      return {
        sorobanInclusionFee: feeDistribution,
        inclusionFee: feeDistribution,
        latestLedger: latest.sequence,
      }
    case 'getLatestLedger':
      return latestLedger(latest)
    case 'getLedgers':
      return getLedgers(view, params)
    case 'getTransactions':
      return getTransactions(view, params)
    case 'getTransaction':
      return getTransaction(view, params)
    case 'getEvents':
      return getEvents(view, params as EventsRequest)
    case 'getLedgerEntries':
      return getLedgerEntries(view, params)
    case 'sendTransaction':
      return sendTransaction(view, params)
    default:
      throw methodNotFound()
  }
}

/** Ledgers here are never full, so bids stay at the minimum. */
const feeDistribution = {
  ...Object.fromEntries(
    ['max', 'min', 'mode', 'p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'].map(
      (name) => [name, '100'],
    ),
  ),
  transactionCount: '0',
  ledgerCount: 50,
}

/** `headerXdr` is the bare header here; in getLedgers it includes the hash. */
function latestLedger(ledger: LedgerRecord): object {
  return {
    id: ledger.hash,
    protocolVersion,
    sequence: ledger.sequence,
    closeTime: String(ledger.closeTime),
    headerXdr: ledger.header,
    metadataXdr: closeMeta(ledger).toXdr('base64'),
  }
}

function getLedgers(view: View, request: Page): object {
  const { limit } = checkPage(view, request)
  const cursor = request.pagination?.cursor
  const [oldest, latest] = [view.oldest(), view.latest()]
  const start = cursor ? Number(cursor) + 1 : (request.startLedger ?? 0)
  if (cursor && !(start >= oldest.sequence && start <= latest.sequence)) {
    throw invalidParams(
      `cursor ('${cursor}') must be between the oldest ledger: ${oldest.sequence} and the latest ledger: ${latest.sequence} for this rpc instance`,
    )
  }
  const ledgers = view.from(start).slice(0, limit)
  return {
    ledgers: ledgers.map((ledger) => ({
      hash: ledger.hash,
      sequence: ledger.sequence,
      ledgerCloseTime: String(ledger.closeTime),
      headerXdr: headerEntry(ledger).toXdr('base64'),
      metadataXdr: closeMeta(ledger).toXdr('base64'),
    })),
    latestLedger: latest.sequence,
    latestLedgerCloseTime: latest.closeTime,
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTime: oldest.closeTime,
    cursor: String(ledgers.at(-1)?.sequence ?? start - 1),
  }
}

const maxKeys = 200

/** The requested entries; missing ones are omitted. */
function getLedgerEntries(view: View, { keys = [] }: { keys?: string[] }): object {
  if (keys.length > maxKeys)
    throw invalidParams(`key count (${keys.length}) exceeds maximum supported (${maxKeys})`)
  const entries = keys.flatMap((key, i) => {
    const name = entryOfKey(decodeKey(key, i))
    const entry = name === null ? undefined : view.entry(name)
    if (!entry) return []
    const { data, ext } = ledgerEntryOf(entry)
    return [
      { key, xdr: data.toXdr('base64'), lastModifiedLedgerSeq: entry.modified, extXdr: ext.toXdr('base64') },
    ]
  })
  return { entries, latestLedger: view.latest().sequence }
}

function decodeKey(key: string, i: number): xdr.LedgerKey {
  try {
    return xdr.LedgerKey.fromXdr(key, 'base64')
  } catch {
    throw invalidParams(`cannot unmarshal key value ${key} at index ${i}`)
  }
}
