import {
  extractBaseAddress,
  type FeeBumpTransaction,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base'
import { type Memo, ProviderError } from '../chain.ts'
import { unmuxed } from './address.ts'
import { type Credit, type Debit, type Flow, hexOf, type RawTransaction, unitsOf } from './ledger.ts'
import { assetOf, flow, resultOf, sentOnPath, tradesOf } from './resultFlows.ts'

/** A signed transaction with the results of its operations. */
export interface SignedTransaction {
  succeeded: boolean
  memo: Memo | null
  operations: Operation[]
}

export interface Operation {
  /** The source account, without the id of a muxed address. */
  source: string
  kind: OperationKind
  /**
   * The payment to the recipient, as far as envelope and result show it; null if only the ledger's changes
   * do.
   */
  credit: Credit | null
  /**
   * The amount taken from its source, as far as envelope and result show it; null if only the ledger's
   * changes do, or if nothing was taken.
   */
  debit: Debit | null
  /** All movements, including trades, as far as envelope and result show them. */
  flows: readonly Flow[]
}

/**
 * The complete source of movements. `payment`, `path`, `result`: operation and result. `claim`, `pool`: the
 * ledger's changes. `contract`,
 * `other`: events.
 */
type OperationKind = 'payment' | 'path' | 'result' | 'claim' | 'pool' | 'contract' | 'other'

/** Reads envelope and result. @throws ProviderError if the envelope does not have the transaction's hash */
export function signedTransaction(
  { hash, envelopeXdr, resultXdr }: RawTransaction,
  network: string,
): SignedTransaction {
  const built = TransactionBuilder.fromXDR(envelopeXdr, network)
  if (hexOf(built.hash()) !== hash) throw new ProviderError(`the envelope of ${hash} has another hash`)
  const inner = innerOf(built)
  const results = operationResults(xdr.TransactionResult.fromXDR(resultXdr, 'base64'))
  return {
    succeeded: results !== null,
    memo: memoOf(inner.memo),
    operations: inner.operations.map((operation, index) => {
      const source = accountOf(operation.source ?? inner.source)
      const result = results?.[index] ?? null
      const { kind, paid, sent, flows = [] } = readOperation(operation, source, result)
      // A payment to oneself moves nothing.
      const isOwn = kind === 'payment' && paid?.account === source
      return {
        source,
        kind,
        credit: paid && !isOwn ? credited(paid) : null,
        debit: paid && sent && !isOwn ? { account: source, ...sent, to: paid.account } : null,
        flows: [
          ...tradesOf(source, result),
          ...(paid ? flow(source, paid.account, paid.asset, paid.amount, paid.id) : []),
          ...flows,
        ],
      }
    }),
  }
}

const innerOf = (built: Transaction | FeeBumpTransaction): Transaction =>
  'innerTransaction' in built ? built.innerTransaction : built

export const accountOf = (address: string): string =>
  address.startsWith('M') ? extractBaseAddress(address) : address

/** @returns results by operation; null if the transaction failed */
function operationResults({ result }: xdr.TransactionResult): xdr.OperationResult[] | null {
  const outcome = result.type === 'txFeeBumpInnerSuccess' ? result.innerResultPair.result.result : result
  return outcome.type === 'txSuccess' ? outcome.results : null
}

function memoOf({ type, value }: Transaction['memo']): Memo | null {
  if (type === 'none' || value === null) return null
  // A text memo is any bytes. Remove zeros, which Postgres cannot store.
  if (type === 'text') return { type, value: Buffer.from(value).toString('utf8').replaceAll('\0', '') }
  if (type === 'id') return { type, value: value.toString() }
  return { type, value: typeof value === 'string' ? value : hexOf(value) }
}

type BuiltOperation = Transaction['operations'][number]

/**
 * The payment of an operation: recipient and amount, and the asset and amount that it takes; null if the
 * operation does not have them.
 */
interface Read {
  kind: OperationKind
  paid: Credit | null
  sent: Pick<Debit, 'asset' | 'amount'> | null
  /** Movements in addition to its payment and trades. */
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
      const paid = creditOf(
        operation.destination,
        operation.destAsset.toString(),
        unitsOf(operation.destAmount),
      )
      const asset = assetOf(operation.sendAsset.toString())
      return {
        kind: 'path',
        paid,
        sent: { asset, amount: sentOnPath(result, asset) ?? unitsOf(operation.sendMax) },
      }
    }
    case 'pathPaymentStrictSend': {
      // The result has the received amount; the operation only its minimum.
      const paid = creditOf(
        operation.destination,
        operation.destAsset.toString(),
        receivedOf(result) ?? unitsOf(operation.destMin),
      )
      return {
        kind: 'path',
        paid,
        sent: { asset: assetOf(operation.sendAsset.toString()), amount: unitsOf(operation.sendAmount) },
      }
    }
    case 'claimClaimableBalance':
      return { kind: 'claim', paid: null, sent: null }
    case 'liquidityPoolDeposit':
    case 'liquidityPoolWithdraw':
      return { kind: 'pool', paid: null, sent: null }
    case 'createClaimableBalance':
      return {
        ...byResult,
        flows: flow(
          source,
          balanceOf(result) ?? source,
          assetOf(operation.asset.toString()),
          unitsOf(operation.amount),
        ),
      }
    case 'clawback':
      return {
        ...byResult,
        flows: flow(
          accountOf(operation.from),
          source,
          assetOf(operation.asset.toString()),
          unitsOf(operation.amount),
        ),
      }
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

/** An asset that returns to its issuer is burned. */
const credited = (credit: Credit): Credit | null =>
  credit.asset?.endsWith(`:${credit.account}`) ? null : credit

function mergedOf(result: xdr.OperationResult | null): bigint {
  const tr = resultOf(result)
  return tr?.type === 'accountMerge' && tr.accountMergeResult.type === 'accountMergeSuccess'
    ? tr.accountMergeResult.sourceAccountBalance
    : 0n
}

function receivedOf(result: xdr.OperationResult | null): bigint | null {
  const tr = resultOf(result)
  if (
    tr?.type !== 'pathPaymentStrictSend' ||
    tr.pathPaymentStrictSendResult.type !== 'pathPaymentStrictSendSuccess'
  )
    return null
  return tr.pathPaymentStrictSendResult.success.last.amount
}

/** The created claimable balance, as a strkey (SEP-23): a byte for its kind, and its hash. */
function balanceOf(result: xdr.OperationResult | null): string | null {
  const tr = resultOf(result)
  if (
    tr?.type !== 'createClaimableBalance' ||
    tr.createClaimableBalanceResult.type !== 'createClaimableBalanceSuccess'
  )
    return null
  const id = tr.createClaimableBalanceResult.balanceId.toXDR()
  return StrKey.encodeClaimableBalance(Buffer.concat([Buffer.of(0), id.subarray(-32)]))
}
