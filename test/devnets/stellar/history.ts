import { xdr } from '@stellar/stellar-sdk'
import type { Entry } from './entries.ts'
import { hex, sha256 } from './values.ts'

/** A transaction in history, as a node stores it: base64 XDR, from which the rest is derived. */
export interface TransactionRecord {
  /** Hex. */
  hash: string
  /** A fee bump's inner hash: both hashes find it. */
  innerHash: string | null
  soroban: boolean
  successful: boolean
  envelope: string
  result: string
  meta: string
  feeChanges: string
  refundChanges: string
}

/** A closed ledger. */
export interface LedgerRecord {
  sequence: number
  /** Hex: sha256 of the header. */
  hash: string
  /** Unix seconds. */
  closeTime: number
  /** A `LedgerHeader` as base64 XDR. */
  header: string
  /** In the order of application. */
  transactions: TransactionRecord[]
  /** Changes of state: key, entry before, entry after. */
  changes: [key: string, before: Entry | null, after: Entry | null][]
}

export const protocolVersion = 27

export const encodeChanges = (changes: readonly xdr.LedgerEntryChange[]): string =>
  xdr.encodeArray(xdr.LedgerEntryChange, changes, 'base64')
const decodeChanges = (base64: string): xdr.LedgerEntryChange[] =>
  xdr.decodeArray(xdr.LedgerEntryChange, base64, 'base64')

/**
 * The transaction set of the network's consensus: by hash, contract calls in a separate phase (CAP-42,
 * CAP-63).
 */
export function transactionSet(
  previousHash: string,
  transactions: readonly TransactionRecord[],
): xdr.GeneralizedTransactionSet {
  const sorted = (soroban: boolean) =>
    transactions
      .filter((each) => each.soroban === soroban)
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ envelope }) => xdr.TransactionEnvelope.fromXdr(envelope, 'base64'))
  const [classic, contract] = [sorted(false), sorted(true)]
  const baseFee = 100n
  const component = xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
    new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee, txs: classic }),
  )
  return xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash: Buffer.from(previousHash, 'hex'),
      phases: [
        xdr.TransactionPhase.v0Components(classic.length > 0 ? [component] : []),
        xdr.TransactionPhase.parallelTxsComponent(
          new xdr.ParallelTxsComponent({ baseFee, executionStages: contract.length > 0 ? [[contract]] : [] }),
        ),
      ],
    }),
  )
}

const pairOf = ({ hash, result }: TransactionRecord) =>
  new xdr.TransactionResultPair({
    transactionHash: Buffer.from(hash, 'hex'),
    result: xdr.TransactionResult.fromXdr(result, 'base64'),
  })

/** The header's commitment to the results, including failed ones. */
export const resultsHash = (transactions: readonly TransactionRecord[]): Buffer =>
  sha256(new xdr.TransactionResultSet({ results: transactions.map(pairOf) }).toXdr())

export const headerHash = (header: xdr.LedgerHeader): string => hex(sha256(header.toXdr()))

export function headerEntry(ledger: LedgerRecord): xdr.LedgerHeaderHistoryEntry {
  return new xdr.LedgerHeaderHistoryEntry({
    hash: Buffer.from(ledger.hash, 'hex'),
    header: xdr.LedgerHeader.fromXdr(ledger.header, 'base64'),
    ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
  })
}

/** A core's metadata of a closed ledger: the set by hash, the results in the order of application. */
export function closeMeta(ledger: LedgerRecord): xdr.LedgerCloseMeta {
  const header = headerEntry(ledger)
  return xdr.LedgerCloseMeta.v2(
    new xdr.LedgerCloseMetaV2({
      ext: xdr.LedgerCloseMetaExt.v0(),
      ledgerHeader: header,
      txSet: transactionSet(hex(header.header.previousLedgerHash.value), ledger.transactions),
      txProcessing: ledger.transactions.map(
        (each) =>
          new xdr.TransactionResultMetaV1({
            ext: xdr.ExtensionPoint.v0(),
            result: pairOf(each),
            feeProcessing: decodeChanges(each.feeChanges),
            txApplyProcessing: xdr.TransactionMeta.fromXdr(each.meta, 'base64'),
            postTxApplyFeeProcessing: decodeChanges(each.refundChanges),
          }),
      ),
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
    }),
  )
}
