import { extractBaseAddress, type FeeBumpTransaction, StrKey, type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk/base'
import { type Memo, ProviderError } from '../chain.ts'
import { unmuxed } from './address.ts'
import { type Credit, type Debit, type Flow, hexOf, type RawTransaction, unitsOf } from './ledger.ts'
import { assetOf, flow, resultOf, sentOnPath, tradesOf } from './resultFlows.ts'

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
  /** What it took from its source, as far as envelope and result tell; null where only the ledger's changes do, or it took nothing. */
  debit: Debit | null
  /** All that it moved, trades included, as far as envelope and result tell. */
  flows: readonly Flow[]
}

/**
 * `payment`, `path`, `result`: operation and result tell all that it moved. `claim`, `pool`: only what the ledger changed tells it. `contract`,
 * `other`: only events do.
 */
type OperationKind = 'payment' | 'path' | 'result' | 'claim' | 'pool' | 'contract' | 'other'

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
      const result = results?.[index] ?? null
      const { kind, paid, sent, flows = [] } = readOperation(operation, source, result)
      // What one pays to oneself brings nothing, and takes nothing.
      const isOwn = kind === 'payment' && paid?.account === source
      return {
        source,
        kind,
        credit: paid && !isOwn ? credited(paid) : null,
        debit: paid && sent && !isOwn ? { account: source, ...sent, to: paid.account } : null,
        flows: [...tradesOf(source, result), ...(paid ? flow(source, paid.account, paid.asset, paid.amount, paid.id) : []), ...flows],
      }
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

/** What an operation pays whom, and what that takes of which asset; null where it does not say. */
interface Read {
  kind: OperationKind
  paid: Credit | null
  sent: Pick<Debit, 'asset' | 'amount'> | null
  /** What it moves besides its payment and its trades. */
  flows?: readonly Flow[]
}

function readOperation(operation: BuiltOperation, source: string, result: xdr.OperationResult | null): Read {
  switch (operation.type) {
    case 'payment':
      return payment(operation.destination, operation.asset.toString(), unitsOf(operation.amount))
    case 'createAccount':
      return payment(operation.destination, native, unitsOf(operation.startingBalance))
    case 'accountMerge':
      return payment(operation.destination, native, mergedOf(result))
    case 'pathPaymentStrictReceive': {
      const paid = creditOf(operation.destination, operation.destAsset.toString(), unitsOf(operation.destAmount))
      const asset = assetOf(operation.sendAsset.toString())
      return { kind: 'path', paid, sent: { asset, amount: sentOnPath(result, asset) ?? unitsOf(operation.sendMax) } }
    }
    case 'pathPaymentStrictSend': {
      // What arrives is in the result; what was asked for is the least that may.
      const paid = creditOf(operation.destination, operation.destAsset.toString(), receivedOf(result) ?? unitsOf(operation.destMin))
      return { kind: 'path', paid, sent: { asset: assetOf(operation.sendAsset.toString()), amount: unitsOf(operation.sendAmount) } }
    }
    case 'claimClaimableBalance':
      return { kind: 'claim', paid: null, sent: null }
    case 'liquidityPoolDeposit':
    case 'liquidityPoolWithdraw':
      return { kind: 'pool', paid: null, sent: null }
    case 'createClaimableBalance':
      return { ...byResult, flows: flow(source, balanceOf(result) ?? source, assetOf(operation.asset.toString()), unitsOf(operation.amount)) }
    case 'clawback':
      return { ...byResult, flows: flow(accountOf(operation.from), source, assetOf(operation.asset.toString()), unitsOf(operation.amount)) }
    case 'manageSellOffer':
    case 'manageBuyOffer':
    case 'createPassiveSellOffer':
      return byResult
    case 'invokeHostFunction':
      return { kind: 'contract', paid: null, sent: null }
    default:
      return other
  }
}

const native = 'native'
const other: Read = { kind: 'other', paid: null, sent: null }
const byResult: Read = { kind: 'result', paid: null, sent: null }

function payment(destination: string, asset: string, amount: bigint): Read {
  const paid = creditOf(destination, asset, amount)
  return { kind: 'payment', paid, sent: { asset: paid.asset, amount } }
}

function creditOf(destination: string, asset: string, amount: bigint): Credit {
  const { account, id } = unmuxed(destination)
  return { account, id: destination.startsWith('M') ? id : null, asset: assetOf(asset), amount }
}

/** What comes back to its issuer is no more. */
const credited = (credit: Credit): Credit | null => (credit.asset?.endsWith(`:${credit.account}`) ? null : credit)

function mergedOf(result: xdr.OperationResult | null): bigint {
  const tr = resultOf(result)
  return tr?.type === 'accountMerge' && tr.accountMergeResult.type === 'accountMergeSuccess' ? tr.accountMergeResult.sourceAccountBalance : 0n
}

function receivedOf(result: xdr.OperationResult | null): bigint | null {
  const tr = resultOf(result)
  if (tr?.type !== 'pathPaymentStrictSend' || tr.pathPaymentStrictSendResult.type !== 'pathPaymentStrictSendSuccess') return null
  return tr.pathPaymentStrictSendResult.success.last.amount
}

/** The claimable balance that was made, as a strkey (SEP-23): a byte for its kind, and its hash. */
function balanceOf(result: xdr.OperationResult | null): string | null {
  const tr = resultOf(result)
  if (tr?.type !== 'createClaimableBalance' || tr.createClaimableBalanceResult.type !== 'createClaimableBalanceSuccess') return null
  const id = tr.createClaimableBalanceResult.balanceId.toXDR()
  return StrKey.encodeClaimableBalance(Buffer.concat([Buffer.of(0), id.subarray(-32)]))
}
