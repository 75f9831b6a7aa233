import { xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { flags } from './entries.ts'
import { movedBetween, muxedId, paid, transferEvent } from './events.ts'
import { baseReserve, credit, debit, giveSponsorship, type Refusal, takeSponsorship } from './money.ts'
import { accountIn } from './state.ts'
import { accountOf, assetOf, baseOf, maxAmount, nativeAsset } from './values.ts'

/* Create account, payment and account merge: Stellar docs, "List of operations". */

type Tr = xdr.OperationResultTr

const fail = (result: Tr): never => {
  throw new OperationFailure(xdr.OperationResult.opInner(result))
}

/**
 * Starts at a number derived from the ledger, so that transactions of a merged and re-created account cannot
 * be replayed.
 */
const startingSequence = (ledger: number): bigint => BigInt(ledger) << 32n

export function createAccount(context: OperationContext, op: xdr.CreateAccountOp): Tr {
  const { frame, source, tx } = context
  const refuse = (result: xdr.CreateAccountResult) => fail(xdr.OperationResultTr.createAccount(result))
  const id = accountOf(op.destination)
  if (accountIn(frame, id)) refuse(xdr.CreateAccountResult.createAccountAlreadyExist())
  const sponsor = tx.sponsors.get(id) ?? null
  // Two reserves for the account itself. With a sponsor the starting balance may be zero.
  if (sponsor ? !takeSponsorship(frame, sponsor, 2) : op.startingBalance < 2n * baseReserve)
    refuse(xdr.CreateAccountResult.createAccountLowReserve())
  if (debit(frame, source, nativeAsset, op.startingBalance))
    refuse(xdr.CreateAccountResult.createAccountUnderfunded())
  frame.put({
    kind: 'account',
    id,
    balance: op.startingBalance,
    sequence: startingSequence(tx.ledger.sequence),
    subEntries: 0,
    flags: 0,
    homeDomain: '',
    thresholds: [1, 0, 0, 0],
    signers: [],
    buying: 0n,
    selling: 0n,
    sponsored: sponsor ? 2 : 0,
    sponsoring: 0,
    sequenceSet: null,
    modified: 0,
    sponsor,
  })
  const memoId = muxedId(null, tx.transaction.memo)
  context.events.push(
    transferEvent(tx.ledger.network, nativeAsset, {
      from: { account: source },
      to: { account: id },
      amount: op.startingBalance,
      id: memoId,
    }),
  )
  return xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess())
}

const payeeRefused: Record<Refusal, () => xdr.PaymentResult> = {
  underfunded: xdr.PaymentResult.paymentUnderfunded,
  noTrust: xdr.PaymentResult.paymentNoTrust,
  notAuthorized: xdr.PaymentResult.paymentNotAuthorized,
  full: xdr.PaymentResult.paymentLineFull,
}

const payerRefused: Record<Refusal, () => xdr.PaymentResult> = {
  underfunded: xdr.PaymentResult.paymentUnderfunded,
  noTrust: xdr.PaymentResult.paymentSrcNoTrust,
  notAuthorized: xdr.PaymentResult.paymentSrcNotAuthorized,
  full: xdr.PaymentResult.paymentUnderfunded,
}

/** Checks the destination before the source, as the core does. */
export function payment(context: OperationContext, op: xdr.PaymentOp): Tr {
  const { frame, source } = context
  const refuse = (result: xdr.PaymentResult) => fail(xdr.OperationResultTr.payment(result))
  const [destination, asset] = [baseOf(op.destination), assetOf(op.asset)]
  const toItself = destination === source && asset === nativeAsset
  if (!toItself) {
    if (!accountIn(frame, destination)) refuse(xdr.PaymentResult.paymentNoDestination())
    const credited = credit(frame, destination, asset, op.amount)
    if (credited) refuse(payeeRefused[credited]())
    const debited = debit(frame, source, asset, op.amount)
    if (debited) refuse(payerRefused[debited]())
  }
  paid(context, op.destination, asset, op.amount)
  return xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess())
}

export function accountMerge(context: OperationContext, destination: xdr.MuxedAccount): Tr {
  const { frame, source, tx } = context
  const refuse = (result: xdr.AccountMergeResult): never => fail(xdr.OperationResultTr.accountMerge(result))
  const entry = accountIn(frame, source)
  const into = accountIn(frame, baseOf(destination))
  if (!entry || !into) return refuse(xdr.AccountMergeResult.accountMergeNoAccount())
  if (entry.flags & flags.account.authImmutable) refuse(xdr.AccountMergeResult.accountMergeImmutableSet())
  // Signers are removed with the account; other subentries must be removed before.
  if (entry.subEntries !== entry.signers.length) refuse(xdr.AccountMergeResult.accountMergeHasSubEntries())
  if (entry.sequence >= startingSequence(tx.ledger.sequence))
    refuse(xdr.AccountMergeResult.accountMergeSeqnumTooFar())
  if (entry.sponsoring > 0) refuse(xdr.AccountMergeResult.accountMergeIsSponsor())
  if (into.balance + into.buying + entry.balance > maxAmount)
    refuse(xdr.AccountMergeResult.accountMergeDestFull())
  credit(frame, into.id, nativeAsset, entry.balance)
  if (entry.sponsor) giveSponsorship(frame, entry.sponsor, 2)
  frame.remove(`account/${source}`)
  paid(context, destination, nativeAsset, entry.balance)
  return xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(entry.balance))
}

/**
 * The events of trades: payments of the source to each seller and back (CAP-67, "Path Payment", "Manage Buy
 * Offer").
 */
export function tradeEvents(context: OperationContext, atoms: readonly xdr.ClaimOfferAtom[]): void {
  for (const atom of atoms) {
    const [source, seller] = [{ account: context.source }, { account: accountOf(atom.sellerId) }]
    movedBetween(context, source, seller, assetOf(atom.assetBought), atom.amountBought)
    movedBetween(context, seller, source, assetOf(atom.assetSold), atom.amountSold)
  }
}
