import {
  extractBaseAddress,
  type FeeBumpTransaction,
  type Memo,
  Networks,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import { readRecording } from '../readRecording.ts'

/**
 * One operation of a successful transaction: as signed, its result, and its changes. Its events are not read.
 */
export interface RawOperation {
  txId: string
  index: number
  memo: Memo
  /** `G…`, without an id. */
  source: string
  operation: Transaction['operations'][number]
  result: xdr.OperationResult
  changes: readonly xdr.LedgerEntryChange[]
}

export interface RecordedTransaction {
  txHash: string
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr: string
}

/** The answer of a Stellar RPC to `getTransactions` on the public network. */
export const recordedTransactions = (): RecordedTransaction[] =>
  readRecording<{ records: RecordedTransaction[] }>('stellar/rpc-corpus-transactions.json').records

/** @returns nothing if the transaction failed */
export function rawOperations(
  { txHash, envelopeXdr, resultXdr, resultMetaXdr }: RecordedTransaction,
  network: string = Networks.PUBLIC,
): RawOperation[] {
  const { operations, source, memo } = innerOf(TransactionBuilder.fromXDR(envelopeXdr, network))
  const results = resultsOf(xdr.TransactionResult.fromXDR(resultXdr, 'base64'))
  const meta = xdr.TransactionMeta.fromXDR(resultMetaXdr, 'base64')
  if (meta.type !== 'v4') throw new Error(`unexpected version of the metadata of ${txHash}`)
  return results.map((result, index) => {
    const operation = operations[index]
    const changed = meta.v4.operations[index]
    if (!operation || !changed)
      throw new Error(`operation ${index} of ${txHash} is incomplete in the recording`)
    return {
      txId: txHash,
      index,
      memo,
      source: baseOf(operation.source ?? source),
      operation,
      result,
      changes: changed.changes,
    }
  })
}

const innerOf = (built: Transaction | FeeBumpTransaction): Transaction =>
  'innerTransaction' in built ? built.innerTransaction : built

function resultsOf({ result }: xdr.TransactionResult): readonly xdr.OperationResult[] {
  if (result.type === 'txSuccess') return result.results
  if (result.type !== 'txFeeBumpInnerSuccess') return []
  const inner = result.innerResultPair.result.result
  return inner.type === 'txSuccess' ? inner.results : []
}

/** The account of a plain or muxed address. */
export const baseOf = (address: string): string =>
  address.startsWith('M') ? extractBaseAddress(address) : address
