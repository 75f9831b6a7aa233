import { createHash } from 'node:crypto'
import { type Memo, Networks, Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base'
import { readFixture } from '../fixtures/readFixture.ts'
import { type RecordedRpc, RpcRefusal, startRecordedRpc } from './recordedRpc.ts'

/** Ledgers of the public network as a Stellar RPC answers them (Stellar docs, "RPC methods"). */

export interface StellarTransaction {
  txHash: string
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr: string
}

/** From a Horizon that keeps no meta (`SKIP_TXMETA`). */
export type WithoutMeta = Omit<StellarTransaction, 'resultMetaXdr'>

export interface StellarLedger {
  header: xdr.LedgerHeader
  /** In hex. */
  hash: string
  transactions: readonly (StellarTransaction | WithoutMeta)[]
}

const read = <Of>(name: string): Of[] => readFixture<{ records: Of[] }>(`stellar/${name}`).records

export const recordedTransactions = (): StellarTransaction[] => read('rpc-corpus-transactions.json')

/** The recorded headers, whose transactions were not recorded with them. */
export const recordedHeaders = (): StellarLedger[] =>
  read<{ headerXdr: string }>('rpc-corpus-ledgers.json').map(({ headerXdr }) => {
    const { header, hash } = xdr.LedgerHeaderHistoryEntry.fromXDR(headerXdr, 'base64')
    return { header, hash: Buffer.from(hash.value).toString('hex'), transactions: [] }
  })

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/**
 * Ledgers for recorded transactions: recorded headers, each changed to commit to the results of its
 * transactions and to the previous ledger.
 */
export function ledgersAround(transactions: StellarLedger['transactions'], inEach: number): StellarLedger[] {
  const ledgers: StellarLedger[] = []
  for (const { header } of recordedHeaders().slice(0, Math.ceil(transactions.length / inEach))) {
    const own = transactions.slice(ledgers.length * inEach, (ledgers.length + 1) * inEach)
    const before = ledgers.at(-1)
    const made = new xdr.LedgerHeader({
      ...header,
      txSetResultHash: resultsHash(own),
      previousLedgerHash: before ? Buffer.from(before.hash, 'hex') : header.previousLedgerHash,
    })
    ledgers.push({ header: made, hash: sha256(made.toXDR()).toString('hex'), transactions: own })
  }
  return ledgers
}

const resultsHash = (transactions: StellarLedger['transactions']) =>
  sha256(
    new xdr.TransactionResultSet({
      results: transactions.map(
        ({ txHash, resultXdr }) =>
          new xdr.TransactionResultPair({
            transactionHash: Buffer.from(txHash, 'hex'),
            result: xdr.TransactionResult.fromXDR(resultXdr, 'base64'),
          }),
      ),
    }).toXDR(),
  )

/** As from a node that does not emit events for classic operations (CAP-67, EMIT_CLASSIC_EVENTS). */
export function withoutEvents(transaction: StellarTransaction): StellarTransaction {
  const meta = xdr.TransactionMeta.fromXDR(transaction.resultMetaXdr, 'base64')
  if (meta.type !== 'v4') throw new Error('only metas of version 4 have events to leave out')
  const operations = meta.v4.operations.map((each) => new xdr.OperationMetaV2({ ...each, events: [] }))
  const stripped = xdr.TransactionMeta.v4(new xdr.TransactionMetaV4({ ...meta.v4, operations, events: [] }))
  return { ...transaction, resultMetaXdr: stripped.toXDR('base64') }
}

export const withoutMeta = ({ resultMetaXdr: _, ...others }: StellarTransaction): WithoutMeta => others

/** The same as if it had been sent with a memo. Null where another transaction wraps it and pays its fee. */
export function withMemo(transaction: StellarTransaction, memo: Memo): StellarTransaction | null {
  const recorded = TransactionBuilder.fromXDR(transaction.envelopeXdr, Networks.PUBLIC)
  if (!(recorded instanceof Transaction)) return null
  const timebounds = recorded.timeBounds ?? { minTime: '0', maxTime: '0' }
  const built = TransactionBuilder.cloneFrom(recorded, { timebounds }).addMemo(memo).build()
  return { ...transaction, txHash: Buffer.from(built.hash()).toString('hex'), envelopeXdr: built.toXDR() }
}

/** The maximum of one answer (Stellar RPC's own default). */
const maxInAnswer = 200
const invalidParams = -32602

interface Page {
  startLedger?: number
  pagination?: { cursor?: string; limit?: number }
}

/** The RPC's rows for a ledger, and for its transactions. */
export const ledgerRow = (ledger: StellarLedger) => ({
  hash: ledger.hash,
  sequence: ledger.header.ledgerSeq,
  headerXdr: historyOf(ledger),
})
export const rowsOf = ({ header, transactions }: StellarLedger) =>
  transactions.map((transaction, index) => ({
    ...transaction,
    status: 'SUCCESS',
    ledger: header.ledgerSeq,
    applicationOrder: index + 1,
  }))

/** Header and hash together, as in the history. */
const historyOf = ({ header, hash }: StellarLedger) =>
  new xdr.LedgerHeaderHistoryEntry({
    hash: Buffer.from(hash, 'hex'),
    header,
    ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
  }).toXDR('base64')

/** @param ledgers in order, without gaps */
export function startRecordedStellar(ledgers: readonly StellarLedger[]): Promise<RecordedRpc> {
  const oldest = ledgers[0]?.header.ledgerSeq ?? 0
  const latest = ledgers.at(-1)?.header.ledgerSeq ?? 0
  const rows = ledgers.flatMap(rowsOf)
  const cursorOf = ({ ledger, applicationOrder }: (typeof rows)[number]) => `${ledger}.${applicationOrder}`

  const checked = ({ startLedger, pagination = {} }: Page) => {
    const { limit = 50 } = pagination
    if (limit > maxInAnswer) throw new RpcRefusal(invalidParams, `limit must not exceed ${maxInAnswer}`)
    if (startLedger !== undefined && (startLedger < oldest || startLedger > latest)) {
      const range = `startLedger must be between the oldest ledger: ${oldest} and the latest ledger: ${latest} for this rpc instance.`
      throw new RpcRefusal(invalidParams, range)
    }
    return { startLedger, cursor: pagination.cursor, limit }
  }

  return startRecordedRpc({
    getNetwork: () => ({ passphrase: Networks.PUBLIC, protocolVersion: ledgers[0]?.header.ledgerVersion }),
    getLatestLedger: () => ({
      id: ledgers.at(-1)?.hash,
      protocolVersion: ledgers[0]?.header.ledgerVersion,
      sequence: latest,
    }),
    getLedgers([params]) {
      const { startLedger = oldest, limit } = checked(params as Page)
      const found = ledgers.filter(({ header }) => header.ledgerSeq >= startLedger).slice(0, limit)
      return {
        ledgers: found.map(ledgerRow),
        latestLedger: latest,
        oldestLedger: oldest,
        cursor: `${found.at(-1)?.header.ledgerSeq}`,
      }
    },
    getTransactions([params]) {
      const { startLedger = oldest, cursor, limit } = checked(params as Page)
      const first = cursor
        ? rows.findIndex((each) => cursorOf(each) === cursor) + 1
        : rows.findIndex(({ ledger }) => ledger >= startLedger)
      const found = first < 0 ? [] : rows.slice(first, first + limit)
      const last = found.at(-1)
      return {
        transactions: found,
        latestLedger: latest,
        oldestLedger: oldest,
        cursor: last ? cursorOf(last) : (cursor ?? ''),
      }
    },
  })
}
