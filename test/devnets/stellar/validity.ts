import { xdr } from '@stellar/stellar-sdk'
import { checkerOf, type Parsed, timeBoundsOf } from './envelope.ts'
import { availableBalance } from './money.ts'
import { levelOf, malformed } from './operations.ts'
import { accountIn, type State } from './state.ts'
import { baseOf } from './values.ts'

/** The least fee for an operation while ledgers are not full: Stellar docs, "Fees, resource limits, and metering". */
export const baseFee = 100n

/** The results that carry nothing. */
export type RefusalCode =
  | 'txTooEarly'
  | 'txTooLate'
  | 'txMissingOperation'
  | 'txBadSeq'
  | 'txBadAuth'
  | 'txInsufficientBalance'
  | 'txNoAccount'
  | 'txInsufficientFee'
  | 'txBadAuthExtra'
  | 'txBadSponsorship'
  | 'txBadMinSeqAgeOrGap'
  | 'txSorobanInvalid'

/** Why a transaction is refused. `inner`: what a fee bump holds is, not the bump itself. */
export type Verdict = { code: RefusalCode; inner: boolean } | { operations: xdr.OperationResult[] }

/** When it is checked: times in unix seconds. Before a ledger both are guesses, in it both are its close time. */
export interface Moment {
  ledger: number
  earliest: number
  latest: number
  /** Being applied: the fee has been paid. */
  applying: boolean
}

/**
 * What the core checks before it takes a transaction and again when it applies it, in its order (stellar-core,
 * TransactionFrame::commonValid, FeeBumpTransactionFrame; Stellar docs, "Transactions", "Result codes").
 * @returns null when it is good
 */
export function judge(parsed: Parsed, state: State, moment: Moment, owedElsewhere = 0n): Verdict | null {
  const { bump, transaction } = parsed
  if (bump) {
    const code = judgeBump(parsed, state, moment, owedElsewhere)
    if (code) return { code, inner: false }
  }
  const refuse = (code: RefusalCode): Verdict => ({ code, inner: bump !== null })
  const early = beforeSequence(parsed, state, moment)
  if (early) return refuse(early)
  const account = accountIn(state, parsed.source)
  if (!account) return refuse('txNoAccount')
  const late = sequenceCode(transaction, account, moment)
  if (late) return refuse(late)
  const checker = checkerOf(parsed.inner)
  if (!checker.reaches(account, account.thresholds[1])) return refuse('txBadAuth')
  const { cond } = transaction
  if (cond.type === 'precondV2' && !cond.v2.extraSigners.every((key) => checker.has(key))) return refuse('txBadAuth')
  if (!bump && !moment.applying && availableBalance(account) - owedElsewhere < parsed.feeBid) return refuse('txInsufficientBalance')
  const operations = transaction.operations.map(({ sourceAccount, body }): xdr.OperationResult | null => {
    const source = sourceAccount ? baseOf(sourceAccount) : parsed.source
    const owner = accountIn(state, source)
    const level = levelOf(body)
    // One that an earlier operation will create signs with its own key; whether it does exist is seen when applied.
    const signs = owner ? checker.reaches(owner, owner.thresholds[level]) : checker.reaches({ id: source, thresholds: [1, 0, 0, 0], signers: [] }, 0)
    if (!owner && moment.applying) return null
    if (!signs) return xdr.OperationResult.opBadAuth()
    return malformed(body, source)
  })
  if (operations.some((result) => result !== null)) return { operations: operations.map((result) => result ?? unjudged()) }
  return checker.allUsed() ? null : refuse('txBadAuthExtra')
}

/** The core fills the place of an operation that was not the reason with the first result there is. */
const unjudged = (): xdr.OperationResult =>
  xdr.OperationResult.opInner(xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()))

function judgeBump(parsed: Parsed, state: State, moment: Moment, owedElsewhere: bigint): RefusalCode | null {
  const { bump, transaction, feeUnits, feeBid } = parsed
  if (!bump) return null
  const innerUnits = feeUnits - 1n
  const belowInner = (feeBid - parsed.resourceFee) * innerUnits < (BigInt(transaction.fee) - parsed.resourceFee) * feeUnits
  if (!moment.applying && (feeBid - parsed.resourceFee < minimumFee(parsed) || belowInner)) return 'txInsufficientFee'
  const payer = accountIn(state, bump.source)
  if (!payer) return 'txNoAccount'
  const checker = checkerOf(bump)
  if (!checker.reaches(payer, payer.thresholds[1])) return 'txBadAuth'
  if (!moment.applying && availableBalance(payer) - owedElsewhere < feeBid) return 'txInsufficientBalance'
  return checker.allUsed() ? null : 'txBadAuthExtra'
}

/** What must be bid for a place in a ledger, without what a contract call pays for its resources. */
export const minimumFee = ({ feeUnits }: Pick<Parsed, 'feeUnits'>): bigint => baseFee * feeUnits

function beforeSequence(parsed: Parsed, state: State, moment: Moment): RefusalCode | null {
  const { transaction, bump, soroban } = parsed
  if (transaction.operations.length === 0) return 'txMissingOperation'
  // A contract call stands alone, declares its resources, and has neither memo nor muxed source (CAP-46, CAP-67).
  if (soroban || transaction.ext.type === 'sorobanData') {
    const plain = transaction.memo.type === 'memoNone' && transaction.sourceAccount.type === 'keyTypeEd25519'
    if (!soroban || transaction.operations.length > 1 || transaction.ext.type !== 'sorobanData' || !plain) return 'txSorobanInvalid'
  }
  const { minTime, maxTime } = timeBoundsOf(transaction)
  const bounds = transaction.cond.type === 'precondV2' ? transaction.cond.v2.ledgerBounds : null
  if (minTime > BigInt(moment.earliest) || (bounds && bounds.minLedger > moment.ledger)) return 'txTooEarly'
  const pastLedger = bounds && bounds.maxLedger !== 0 && bounds.maxLedger <= moment.ledger
  if ((maxTime !== 0n && maxTime < BigInt(moment.latest)) || pastLedger) return 'txTooLate'
  if (!bump && !moment.applying && parsed.feeBid - parsed.resourceFee < minimumFee(parsed)) return 'txInsufficientFee'
  return accountIn(state, parsed.source) ? null : 'txNoAccount'
}

function sequenceCode(
  transaction: xdr.Transaction,
  account: { sequence: bigint; sequenceSet: { ledger: number; time: number } | null },
  moment: Moment,
): RefusalCode | null {
  const { cond, seqNum } = transaction
  const v2 = cond.type === 'precondV2' ? cond.v2 : null
  const fits = v2?.minSeqNum ? account.sequence >= v2.minSeqNum && account.sequence < seqNum : seqNum === account.sequence + 1n
  if (!fits) return 'txBadSeq'
  if (!v2) return null
  const since = account.sequenceSet ?? { ledger: 0, time: 0 }
  const tooYoung = BigInt(moment.earliest - since.time) < v2.minSeqAge || moment.ledger - since.ledger < v2.minSeqLedgerGap
  return tooYoung ? 'txBadMinSeqAgeOrGap' : null
}

/** The result of a transaction that was refused, as the core answers it. */
export function resultOfVerdict(parsed: Parsed, verdict: Verdict, feeCharged = minimumFee(parsed)): xdr.TransactionResult {
  const ext = xdr.TransactionResultExt.v0()
  if ('code' in verdict && !verdict.inner) return new xdr.TransactionResult({ feeCharged, result: xdr.TransactionResultResult[verdict.code](), ext })
  if (!parsed.bump) {
    const result = 'code' in verdict ? xdr.TransactionResultResult[verdict.code]() : xdr.TransactionResultResult.txFailed(verdict.operations)
    return new xdr.TransactionResult({ feeCharged, result, ext })
  }
  const inner = 'code' in verdict ? xdr.InnerTransactionResultResult[verdict.code]() : xdr.InnerTransactionResultResult.txFailed(verdict.operations)
  return new xdr.TransactionResult({ feeCharged, result: bumpResult(parsed, inner, false), ext })
}

/** What a fee bump tells of the transaction in it, which pays nothing itself. */
export function bumpResult(parsed: Parsed, result: xdr.InnerTransactionResultResult, success: boolean): xdr.TransactionResultResult {
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: Buffer.from(parsed.inner.hash, 'hex'),
    result: new xdr.InnerTransactionResult({ feeCharged: 0n, result, ext: xdr.InnerTransactionResultExt.v0() }),
  })
  return xdr.TransactionResultResult[success ? 'txFeeBumpInnerSuccess' : 'txFeeBumpInnerFailed'](pair)
}
