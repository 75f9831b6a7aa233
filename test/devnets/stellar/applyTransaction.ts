import { xdr } from '@stellar/stellar-sdk'
import { type LedgerContext, OperationFailure, type TransactionContext } from './context.ts'
import type { Parsed } from './envelope.ts'
import { feeEvent } from './events.ts'
import { apply } from './operations.ts'
import { accountIn, changesOf, commit, type Frame, openFrame } from './state.ts'
import { bumpResult, minimumFee, resultOfVerdict, type Verdict, validate } from './validity.ts'
import { baseOf, minOf } from './values.ts'

/** The outcome of one transaction. */
export interface Applied {
  parsed: Parsed
  result: xdr.TransactionResult
  successful: boolean
  feeChanges: xdr.LedgerEntryChange[]
  meta: xdr.TransactionMetaV4
  /** The refund of a contract call's unused fee, after all transactions (protocol 23). */
  refundChanges: xdr.LedgerEntryChange[]
  feeCharged: bigint
}

/** Half of the resource fee is refunded, so that tests see a refund. */
const refundOf = (parsed: Parsed): bigint => parsed.resourceFee / 2n

/** Takes the fee before any transaction is applied, also of one that then fails (Stellar docs, "Fees"). */
export function chargeFee(
  frame: Frame,
  parsed: Parsed,
): { charged: bigint; changes: xdr.LedgerEntryChange[] } {
  const payer = accountIn(frame, parsed.feeSource)
  if (!payer) return { charged: 0n, changes: [] }
  const charged = minOf(minimumFee(parsed) + parsed.resourceFee, parsed.feeBid, payer.balance)
  const own = openFrame(frame, frame.ledger)
  own.put({ ...payer, balance: payer.balance - charged })
  const changes = changesOf(own, frame)
  commit(own, frame)
  return { charged, changes }
}

/** Refunds a contract call's unused fee. */
export function refundFee(frame: Frame, applied: Applied): Applied {
  const { parsed, meta, result } = applied
  const refund = refundOf(parsed)
  const payer = accountIn(frame, parsed.feeSource)
  if (refund === 0n || !payer) return applied
  const own = openFrame(frame, frame.ledger)
  own.put({ ...payer, balance: payer.balance + refund })
  const refundChanges = changesOf(own, frame)
  commit(own, frame)
  return {
    ...applied,
    refundChanges,
    result: new xdr.TransactionResult({ ...result, feeCharged: applied.feeCharged - refund }),
    meta,
  }
}

/**
 * Applies a transaction whose fee is paid. A failed one uses its sequence number and fee, and changes nothing
 * more.
 */
export function applyTransaction(
  frame: Frame,
  ledger: LedgerContext,
  parsed: Parsed,
  fee: { charged: bigint; changes: xdr.LedgerEntryChange[] },
): Applied {
  const moment = {
    ledger: ledger.sequence,
    earliest: ledger.closeTime,
    latest: ledger.closeTime,
    applying: true,
  }
  const verdict = validate(parsed, frame, moment)
  const txChangesBefore = useSequence(frame, ledger, parsed, verdict)
  const done = verdict ? { results: [], operations: [], verdict } : runOperations(frame, ledger, parsed)
  const refund = refundOf(parsed)
  const { network } = ledger
  const events = [
    feeEvent(network, parsed.feeSource, fee.charged),
    ...(refund > 0n ? [feeEvent(network, parsed.feeSource, -refund)] : []),
  ]
  const meta = new xdr.TransactionMetaV4({
    ext: xdr.ExtensionPoint.v0(),
    txChangesBefore,
    operations: done.operations,
    txChangesAfter: [],
    sorobanMeta: parsed.soroban && !done.verdict ? sorobanMeta(parsed) : null,
    events,
    diagnosticEvents: [],
  })
  const result = done.verdict
    ? resultOfVerdict(parsed, done.verdict, fee.charged)
    : successOf(parsed, done.results, fee.charged)
  return {
    parsed,
    result,
    successful: !done.verdict,
    feeChanges: fee.changes,
    meta,
    refundChanges: [],
    feeCharged: fee.charged,
  }
}

function successOf(
  parsed: Parsed,
  results: xdr.OperationResult[],
  feeCharged: bigint,
): xdr.TransactionResult {
  const result = parsed.bump
    ? bumpResult(parsed, xdr.InnerTransactionResultResult.txSuccess(results), true)
    : xdr.TransactionResultResult.txSuccess(results)
  return new xdr.TransactionResult({ feeCharged, result, ext: xdr.TransactionResultExt.v0() })
}

/**
 * A fee bump shows its payer first, unchanged. Then the sequence number is used, unless an earlier check
 * refused the transaction.
 */
function useSequence(
  frame: Frame,
  ledger: LedgerContext,
  parsed: Parsed,
  verdict: Verdict | null,
): xdr.LedgerEntryChange[] {
  const changes: xdr.LedgerEntryChange[] = []
  const put = (entry: Parameters<Frame['put']>[0]) => {
    const own = openFrame(frame, frame.ledger)
    own.put(entry)
    changes.push(...changesOf(own, frame))
    commit(own, frame)
  }
  const payer = parsed.bump && accountIn(frame, parsed.bump.source)
  if (payer) put(payer)
  const account = accountIn(frame, parsed.source)
  const used =
    verdict === null ||
    'operations' in verdict ||
    verdict.code === 'txBadAuth' ||
    verdict.code === 'txBadAuthExtra'
  if (account && used)
    put({
      ...account,
      sequence: parsed.transaction.seqNum,
      sequenceSet: { ledger: ledger.sequence, time: ledger.closeTime },
    })
  return changes
}

/**
 * All operations succeed or all are reverted. Those after a failed one still run, so that each has a result.
 */
function runOperations(
  frame: Frame,
  ledger: LedgerContext,
  parsed: Parsed,
): { results: xdr.OperationResult[]; operations: xdr.OperationMetaV2[]; verdict: Verdict | null } {
  const { transaction, source } = parsed
  const tx: TransactionContext = { ledger, transaction, source, sponsors: new Map() }
  const { idPool } = ledger
  const all = openFrame(frame, frame.ledger)
  const operations: xdr.OperationMetaV2[] = []
  const results = transaction.operations.map(({ sourceAccount, body }, index) => {
    const own = openFrame(all, frame.ledger)
    const context = {
      tx,
      frame: own,
      source: sourceAccount ? baseOf(sourceAccount) : source,
      index,
      events: [],
    }
    const result = runOne(context, body)
    if (result.type !== 'opInner' || !succeeded(result)) return result
    operations.push(
      new xdr.OperationMetaV2({
        ext: xdr.ExtensionPoint.v0(),
        changes: changesOf(own, all),
        events: context.events,
      }),
    )
    commit(own, all)
    return result
  })
  const good = results.every(succeeded)
  if (good && tx.sponsors.size === 0) {
    commit(all, frame)
    return { results, operations, verdict: null }
  }
  ledger.idPool = idPool
  const verdict: Verdict = good
    ? { code: 'txBadSponsorship', inner: parsed.bump !== null }
    : { operations: results }
  return { results, operations: [], verdict }
}

function runOne(context: Parameters<typeof apply>[0], body: xdr.OperationBody): xdr.OperationResult {
  if (!accountIn(context.frame, context.source)) return xdr.OperationResult.opNoAccount()
  try {
    const result = apply(context, body)
    return result ? xdr.OperationResult.opInner(result) : xdr.OperationResult.opNotSupported()
  } catch (error) {
    if (error instanceof OperationFailure) return error.result
    throw error
  }
}

/** Every result's first variant is its success, with code 0. */
const succeeded = (result: xdr.OperationResult): boolean =>
  result.type === 'opInner' && result.tr.value.type.endsWith('Success')

function sorobanMeta(parsed: Parsed): xdr.SorobanTransactionMetaV2 {
  const refundable = parsed.resourceFee / 2n
  return new xdr.SorobanTransactionMetaV2({
    ext: xdr.SorobanTransactionMetaExt.v1(
      new xdr.SorobanTransactionMetaExtV1({
        ext: xdr.ExtensionPoint.v0(),
        totalNonRefundableResourceFeeCharged: parsed.resourceFee - refundable,
        totalRefundableResourceFeeCharged: 0n,
        rentFeeCharged: 0n,
      }),
    ),
    returnValue: xdr.ScVal.scvVoid(),
  })
}
