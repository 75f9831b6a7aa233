import { xdr } from '@stellar/stellar-sdk'
import { checkerOf, type Parsed, timeBoundsOf } from './envelope.ts'
import { availableBalance } from './money.ts'
import { levelOf, malformed } from './operations.ts'
import { accountIn, type State } from './state.ts'
import { baseOf } from './values.ts'

/**
 * Minimum fee per operation while ledgers are not full: Stellar docs, "Fees, resource limits, and metering".
 */
export const baseFee = 100n

/** Results without a value. */
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

/** The reason for a refusal. `inner`: it concerns a fee bump's inner transaction. */
export type Verdict = { code: RefusalCode; inner: boolean } | { operations: xdr.OperationResult[] }

/**
 * Time of a check, in unix seconds. Before a ledger closes both times are estimates; in a ledger both are its
 * close time.
 */
export interface Moment {
  ledger: number
  earliest: number
  latest: number
  /** While applying, the fee has been paid. */
  applying: boolean
}

/**
 * The core's checks, in its order, when it accepts a transaction and again when it applies it (stellar-core,
 * TransactionFrame::commonValid, FeeBumpTransactionFrame; Stellar docs, "Transactions", "Result codes").
 * @returns null if valid
 */
export function validate(parsed: Parsed, state: State, moment: Moment, owedElsewhere = 0n): Verdict | null {
  const { bump, transaction } = parsed
  if (bump) {
    const code = validateBump(parsed, state, moment, owedElsewhere)
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
  if (cond.type === 'precondV2' && !cond.v2.extraSigners.every((key) => checker.has(key)))
    return refuse('txBadAuth')
  if (!bump && !moment.applying && availableBalance(account) - owedElsewhere < parsed.feeBid)
    return refuse('txInsufficientBalance')
  const operations = transaction.operations.map(({ sourceAccount, body }): xdr.OperationResult | null => {
    const source = sourceAccount ? baseOf(sourceAccount) : parsed.source
    const owner = accountIn(state, source)
    const level = levelOf(body)
    // An account that an earlier operation creates signs with its own key; its existence is checked when
    // applied.
    const signs = owner
      ? checker.reaches(owner, owner.thresholds[level])
      : checker.reaches({ id: source, thresholds: [1, 0, 0, 0], signers: [] }, 0)
    if (!owner && moment.applying) return null
    if (!signs) return xdr.OperationResult.opBadAuth()
    return malformed(body, source)
  })
  if (operations.some((result) => result !== null))
    return { operations: operations.map((result) => result ?? placeholder()) }
  return checker.allUsed() ? null : refuse('txBadAuthExtra')
}

/** The core fills the places of other operations with the first result variant. */
const placeholder = (): xdr.OperationResult =>
  xdr.OperationResult.opInner(
    xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
  )

function validateBump(
  parsed: Parsed,
  state: State,
  moment: Moment,
  owedElsewhere: bigint,
): RefusalCode | null {
  const { bump, transaction, feeUnits, feeBid } = parsed
  if (!bump) return null
  const innerUnits = feeUnits - 1n
  const belowInner =
    (feeBid - parsed.resourceFee) * innerUnits < (BigInt(transaction.fee) - parsed.resourceFee) * feeUnits
  if (!moment.applying && (feeBid - parsed.resourceFee < minimumFee(parsed) || belowInner))
    return 'txInsufficientFee'
  const payer = accountIn(state, bump.source)
  if (!payer) return 'txNoAccount'
  const checker = checkerOf(bump)
  if (!checker.reaches(payer, payer.thresholds[1])) return 'txBadAuth'
  if (!moment.applying && availableBalance(payer) - owedElsewhere < feeBid) return 'txInsufficientBalance'
  return checker.allUsed() ? null : 'txBadAuthExtra'
}

/** The minimum bid for a ledger, without a contract call's resource fee. */
export const minimumFee = ({ feeUnits }: Pick<Parsed, 'feeUnits'>): bigint => baseFee * feeUnits

function beforeSequence(parsed: Parsed, state: State, moment: Moment): RefusalCode | null {
  const { transaction, bump, soroban } = parsed
  if (transaction.operations.length === 0) return 'txMissingOperation'
  // A contract call is the only operation, declares its resources, and has neither memo nor muxed source
  // (CAP-46, CAP-67).
  if (soroban || transaction.ext.type === 'sorobanData') {
    const plain = transaction.memo.type === 'memoNone' && transaction.sourceAccount.type === 'keyTypeEd25519'
    if (!soroban || transaction.operations.length > 1 || transaction.ext.type !== 'sorobanData' || !plain)
      return 'txSorobanInvalid'
  }
  const { minTime, maxTime } = timeBoundsOf(transaction)
  const bounds = transaction.cond.type === 'precondV2' ? transaction.cond.v2.ledgerBounds : null
  if (minTime > BigInt(moment.earliest) || (bounds && bounds.minLedger > moment.ledger)) return 'txTooEarly'
  const pastLedger = bounds && bounds.maxLedger !== 0 && bounds.maxLedger <= moment.ledger
  if ((maxTime !== 0n && maxTime < BigInt(moment.latest)) || pastLedger) return 'txTooLate'
  if (!bump && !moment.applying && parsed.feeBid - parsed.resourceFee < minimumFee(parsed))
    return 'txInsufficientFee'
  return accountIn(state, parsed.source) ? null : 'txNoAccount'
}

function sequenceCode(
  transaction: xdr.Transaction,
  account: { sequence: bigint; sequenceSet: { ledger: number; time: number } | null },
  moment: Moment,
): RefusalCode | null {
  const { cond, seqNum } = transaction
  const v2 = cond.type === 'precondV2' ? cond.v2 : null
  const fits = v2?.minSeqNum
    ? account.sequence >= v2.minSeqNum && account.sequence < seqNum
    : seqNum === account.sequence + 1n
  if (!fits) return 'txBadSeq'
  if (!v2) return null
  const since = account.sequenceSet ?? { ledger: 0, time: 0 }
  const tooYoung =
    BigInt(moment.earliest - since.time) < v2.minSeqAge || moment.ledger - since.ledger < v2.minSeqLedgerGap
  return tooYoung ? 'txBadMinSeqAgeOrGap' : null
}

/** The result of a refused transaction, as the core answers it. */
export function resultOfVerdict(
  parsed: Parsed,
  verdict: Verdict,
  feeCharged = minimumFee(parsed),
): xdr.TransactionResult {
  const ext = xdr.TransactionResultExt.v0()
  if ('code' in verdict && !verdict.inner)
    return new xdr.TransactionResult({ feeCharged, result: xdr.TransactionResultResult[verdict.code](), ext })
  if (!parsed.bump) {
    const result =
      'code' in verdict
        ? xdr.TransactionResultResult[verdict.code]()
        : xdr.TransactionResultResult.txFailed(verdict.operations)
    return new xdr.TransactionResult({ feeCharged, result, ext })
  }
  const inner =
    'code' in verdict
      ? xdr.InnerTransactionResultResult[verdict.code]()
      : xdr.InnerTransactionResultResult.txFailed(verdict.operations)
  return new xdr.TransactionResult({ feeCharged, result: bumpResult(parsed, inner, false), ext })
}

/** A fee bump's result for its inner transaction, which pays no fee itself. */
export function bumpResult(
  parsed: Parsed,
  result: xdr.InnerTransactionResultResult,
  success: boolean,
): xdr.TransactionResultResult {
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: Buffer.from(parsed.inner.hash, 'hex'),
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result,
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  })
  return xdr.TransactionResultResult[success ? 'txFeeBumpInnerSuccess' : 'txFeeBumpInnerFailed'](pair)
}
