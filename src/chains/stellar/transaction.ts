import { extractBaseAddress, type FeeBumpTransaction, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base'
import { type Memo, ProviderError } from '../chain.ts'
import { unmuxed } from './address.ts'
import { type Credit, hexOf, type RawTransaction, unitsOf } from './ledger.ts'

/** A transaction as it was signed, with what came of each of its operations. */
export interface SignedTransaction {
  succeeded: boolean
  memo: Memo | null
  operations: Operation[]
}

export interface Operation {
  /** The account that did it, without the id of a muxed address. */
  source: string
  kind: OperationKind
  /** What it brought to whom, as far as envelope and result tell; null where only the ledger's changes do. */
  credit: Credit | null
}

/** `payment`: the amount is the operation's own or its result's. `claim`: only what the ledger changed tells it. */
type OperationKind = 'payment' | 'path' | 'claim' | 'contract' | 'other'

/**
 * Reads envelope and result.
 * @throws ProviderError where the envelope is not that of the hash
 */
export function signedTransaction({ hash, envelopeXdr, resultXdr }: RawTransaction, network: string): SignedTransaction {
  const built = TransactionBuilder.fromXDR(envelopeXdr, network)
  if (hexOf(built.hash()) !== hash) throw new ProviderError(`the envelope of ${hash} is not the one that has this hash`)
  const inner = innerOf(built)
  const results = operationResults(xdr.TransactionResult.fromXDR(resultXdr, 'base64'))
  return {
    succeeded: results !== null,
    memo: memoOf(inner.memo),
    operations: inner.operations.map((operation, index) => {
      const source = accountOf(operation.source ?? inner.source)
      const read = readOperation(operation, results?.[index] ?? null)
      // What one pays to oneself brings nothing.
      return { source, ...read, credit: read.kind === 'payment' && read.credit?.account === source ? null : read.credit }
    }),
  }
}

const innerOf = (built: Transaction | FeeBumpTransaction): Transaction => ('innerTransaction' in built ? built.innerTransaction : built)

export const accountOf = (address: string): string => (address.startsWith('M') ? extractBaseAddress(address) : address)

/** Results by operation; null where the transaction failed. */
function operationResults({ result }: xdr.TransactionResult): xdr.OperationResult[] | null {
  const outcome = result.type === 'txFeeBumpInnerSuccess' ? result.innerResultPair.result.result : result
  return outcome.type === 'txSuccess' ? outcome.results : null
}

function memoOf({ type, value }: Transaction['memo']): Memo | null {
  if (type === 'none' || value === null) return null
  // Text is bytes, and need not be text; no database keeps a zero in it.
  if (type === 'text') return { type, value: Buffer.from(value).toString('utf8').replaceAll('\0', '') }
  if (type === 'id') return { type, value: value.toString() }
  return { type, value: typeof value === 'string' ? value : hexOf(value) }
}

type BuiltOperation = Transaction['operations'][number]

function readOperation(operation: BuiltOperation, result: xdr.OperationResult | null): Pick<Operation, 'kind' | 'credit'> {
  switch (operation.type) {
    case 'payment':
      return { kind: 'payment', credit: credit(operation.destination, operation.asset.toString(), unitsOf(operation.amount)) }
    case 'createAccount':
      return { kind: 'payment', credit: credit(operation.destination, native, unitsOf(operation.startingBalance)) }
    case 'accountMerge':
      return { kind: 'payment', credit: credit(operation.destination, native, mergedOf(result)) }
    case 'pathPaymentStrictReceive':
      return { kind: 'path', credit: credit(operation.destination, operation.destAsset.toString(), unitsOf(operation.destAmount)) }
    case 'pathPaymentStrictSend':
      // What arrives is in the result; what was asked for is the least that may.
      return { kind: 'path', credit: credit(operation.destination, operation.destAsset.toString(), receivedOf(result) ?? unitsOf(operation.destMin)) }
    case 'claimClaimableBalance':
      return { kind: 'claim', credit: null }
    case 'invokeHostFunction':
      return { kind: 'contract', credit: null }
    default:
      return { kind: 'other', credit: null }
  }
}

const native = 'native'

function credit(destination: string, asset: string, amount: bigint): Credit | null {
  const { account, id } = unmuxed(destination)
  // What comes back to its issuer is no more.
  if (asset.endsWith(`:${account}`)) return null
  return { account, id: destination.startsWith('M') ? id : null, asset: asset === native ? null : asset, amount }
}

const trOf = (result: xdr.OperationResult | null) => (result?.type === 'opInner' ? result.tr : null)

function mergedOf(result: xdr.OperationResult | null): bigint {
  const tr = trOf(result)
  return tr?.type === 'accountMerge' && tr.accountMergeResult.type === 'accountMergeSuccess' ? tr.accountMergeResult.sourceAccountBalance : 0n
}

function receivedOf(result: xdr.OperationResult | null): bigint | null {
  const tr = trOf(result)
  if (tr?.type !== 'pathPaymentStrictSend' || tr.pathPaymentStrictSendResult.type !== 'pathPaymentStrictSendSuccess') return null
  return tr.pathPaymentStrictSendResult.success.last.amount
}
