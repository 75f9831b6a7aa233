import { xdr } from '@stellar/stellar-sdk'
import type { LedgerRecord, TransactionRecord } from './history.ts'
import { accountOf, baseOf, toid } from './values.ts'

/** A transaction of history, decoded for Horizon. */
export interface DecodedTransaction {
  record: TransactionRecord
  ledger: LedgerRecord
  /** SEP-35. */
  id: bigint
  envelope: xdr.TransactionEnvelope
  transaction: xdr.Transaction
  result: xdr.TransactionResult
  meta: xdr.TransactionMeta
  operations: DecodedOperation[]
}

export interface DecodedOperation {
  tx: DecodedTransaction
  /** SEP-35: operations count from 1. */
  id: bigint
  source: xdr.MuxedAccount
  /** `G…` */
  account: string
  body: xdr.OperationBody
  /** Null if the transaction failed before its operations ran. */
  result: xdr.OperationResult | null
  /** Empty when the transaction failed. */
  changes: readonly xdr.LedgerEntryChange[]
  events: readonly xdr.ContractEvent[]
}

const known = new WeakMap<TransactionRecord, DecodedTransaction>()

/** @param index from 0, in the order of application */
export function decode(ledger: LedgerRecord, record: TransactionRecord, index: number): DecodedTransaction {
  const before = known.get(record)
  // A liar that omits transactions numbers the others differently.
  if (before && before.id === toid(ledger.sequence, index + 1, 0)) return before
  const envelope = xdr.TransactionEnvelope.fromXdr(record.envelope, 'base64')
  const transaction = transactionOf(envelope)
  const meta = xdr.TransactionMeta.fromXdr(record.meta, 'base64')
  const result = xdr.TransactionResult.fromXdr(record.result, 'base64')
  const id = toid(ledger.sequence, index + 1, 0)
  const decoded: DecodedTransaction = {
    record,
    ledger,
    id,
    envelope,
    transaction,
    result,
    meta,
    operations: [],
  }
  const results = operationResults(result)
  decoded.operations = transaction.operations.map(({ sourceAccount, body }, i) => {
    const source = sourceAccount ?? transaction.sourceAccount
    const { changes, events } = operationMeta(meta, i)
    return {
      tx: decoded,
      id: id + BigInt(i + 1),
      source,
      account: baseOf(source),
      body,
      result: results[i] ?? null,
      changes,
      events,
    }
  })
  known.set(record, decoded)
  return decoded
}

export const decodeLedger = (ledger: LedgerRecord): DecodedTransaction[] =>
  ledger.transactions.map((record, i) => decode(ledger, record, i))

function transactionOf(envelope: xdr.TransactionEnvelope): xdr.Transaction {
  if (envelope.type === 'envelopeTypeTx') return envelope.v1.tx
  if (envelope.type === 'envelopeTypeTxFeeBump') return envelope.feeBump.tx.innerTx.v1.tx
  throw new Error('TransactionV0 is not supported')
}

/** Results of the operations, also inside a fee bump; empty if they did not run. */
export function operationResults({ result }: xdr.TransactionResult): xdr.OperationResult[] {
  const inner =
    result.type === 'txFeeBumpInnerSuccess' || result.type === 'txFeeBumpInnerFailed'
      ? result.innerResultPair.result.result
      : result
  return inner.type === 'txSuccess' || inner.type === 'txFailed' ? inner.results : []
}

function operationMeta(meta: xdr.TransactionMeta, i: number): Pick<DecodedOperation, 'changes' | 'events'> {
  if (meta.type === 'v4')
    return { changes: meta.v4.operations[i]?.changes ?? [], events: meta.v4.operations[i]?.events ?? [] }
  if (meta.type === 'v3')
    return { changes: meta.v3.operations[i]?.changes ?? [], events: meta.v3.sorobanMeta?.events ?? [] }
  return { changes: [], events: [] }
}

/** The accounts of an operation: its source, and those it names. */
export function participants({ account, body }: DecodedOperation): string[] {
  switch (body.type) {
    case 'createAccount':
      return [account, accountOf(body.createAccountOp.destination)]
    case 'payment':
      return [account, baseOf(body.paymentOp.destination)]
    case 'pathPaymentStrictReceive':
      return [account, baseOf(body.pathPaymentStrictReceiveOp.destination)]
    case 'pathPaymentStrictSend':
      return [account, baseOf(body.pathPaymentStrictSendOp.destination)]
    case 'accountMerge':
      return [account, baseOf(body.destination)]
    case 'createClaimableBalance':
      return [account, ...body.createClaimableBalanceOp.claimants.map(({ v0 }) => accountOf(v0.destination))]
    case 'clawback':
      return [account, baseOf(body.clawbackOp.from)]
    case 'setTrustLineFlags':
      return [account, accountOf(body.setTrustLineFlagsOp.trustor)]
    case 'beginSponsoringFutureReserves':
      return [account, accountOf(body.beginSponsoringFutureReservesOp.sponsoredId)]
    default:
      return [account]
  }
}
