import { xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { entryKey, flags } from './entries.ts'
import { movedBetween, muxedId, transferEvent } from './events.ts'
import { credit, debit, giveSponsorship, takeSponsorship } from './money.ts'
import { accountIn, lineIn } from './state.ts'
import { accountKey, accountOf, assetOf, hex, issuerOf, sha256 } from './values.ts'

/* Claimable balances: Stellar docs, "Claimable balances"; CAP-23. */

const fail = (result: xdr.OperationResultTr): never => {
  throw new OperationFailure(xdr.OperationResult.opInner(result))
}

/** The id is derived from source, sequence number and index: CAP-23. */
function newBalanceId({ tx, index }: OperationContext): string {
  const preimage = xdr.HashIdPreimage.envelopeTypeOpId(
    new xdr.HashIdPreimageOperationId({
      sourceAccount: accountKey(tx.source),
      seqNum: tx.transaction.seqNum,
      opNum: index,
    }),
  )
  return hex(sha256(preimage.toXdr()))
}

/** A relative time starts at the ledger that creates the balance. */
function absolute(predicate: xdr.ClaimPredicate, closeTime: number): xdr.ClaimPredicate {
  const { ClaimPredicate } = xdr
  switch (predicate.type) {
    case 'claimPredicateBeforeRelativeTime':
      return ClaimPredicate.claimPredicateBeforeAbsoluteTime(BigInt(closeTime) + predicate.relBefore)
    case 'claimPredicateAnd':
      return ClaimPredicate.claimPredicateAnd(
        predicate.andPredicates.map((each) => absolute(each, closeTime)),
      )
    case 'claimPredicateOr':
      return ClaimPredicate.claimPredicateOr(predicate.orPredicates.map((each) => absolute(each, closeTime)))
    case 'claimPredicateNot':
      return ClaimPredicate.claimPredicateNot(
        predicate.notPredicate && absolute(predicate.notPredicate, closeTime),
      )
    default:
      return predicate
  }
}

function isTrue(predicate: xdr.ClaimPredicate, closeTime: number): boolean {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return true
    case 'claimPredicateAnd':
      return predicate.andPredicates.every((each) => isTrue(each, closeTime))
    case 'claimPredicateOr':
      return predicate.orPredicates.some((each) => isTrue(each, closeTime))
    case 'claimPredicateNot':
      return predicate.notPredicate !== null && !isTrue(predicate.notPredicate, closeTime)
    case 'claimPredicateBeforeAbsoluteTime':
      return BigInt(closeTime) < predicate.absBefore
    // Converted to an absolute time when the balance was created.
    case 'claimPredicateBeforeRelativeTime':
      return false
  }
}

export function createClaimableBalance(
  context: OperationContext,
  op: xdr.CreateClaimableBalanceOp,
): xdr.OperationResultTr {
  const { frame, source, tx } = context
  const { CreateClaimableBalanceResult: Result } = xdr
  const refuse = (result: xdr.CreateClaimableBalanceResult): never =>
    fail(xdr.OperationResultTr.createClaimableBalance(result))
  const asset = assetOf(op.asset)
  const debited = debit(frame, source, asset, op.amount)
  if (debited === 'noTrust') refuse(Result.createClaimableBalanceNoTrust())
  if (debited === 'notAuthorized') refuse(Result.createClaimableBalanceNotAuthorized())
  if (debited) refuse(Result.createClaimableBalanceUnderfunded())
  // The creator sponsors the entry, or the creator's own sponsor: one reserve per claimant. After the debit,
  // as in stellar-core.
  const sponsor = tx.sponsors.get(source) ?? source
  if (!takeSponsorship(frame, sponsor, op.claimants.length)) refuse(Result.createClaimableBalanceLowReserve())
  const id = newBalanceId(context)
  const issuedHere = issuerOf(asset) === source
  frame.put({
    kind: 'claimable',
    id,
    asset,
    amount: op.amount,
    clawback: issuedHere
      ? ((accountIn(frame, source)?.flags ?? 0) & flags.account.authClawback) !== 0
      : ((lineIn(frame, source, asset)?.flags ?? 0) & flags.line.clawback) !== 0,
    claimants: op.claimants.map(({ v0 }) => ({
      destination: accountOf(v0.destination),
      predicate: absolute(v0.predicate, tx.ledger.closeTime).toXdr('base64'),
    })),
    modified: 0,
    sponsor,
  })
  movedBetween(context, { account: source }, { claimable: id }, asset, op.amount)
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.from(id, 'hex'))
  return xdr.OperationResultTr.createClaimableBalance(Result.createClaimableBalanceSuccess(balanceId))
}

export function claimClaimableBalance(
  context: OperationContext,
  op: xdr.ClaimClaimableBalanceOp,
): xdr.OperationResultTr {
  const { frame, source, tx } = context
  const { ClaimClaimableBalanceResult: Result } = xdr
  const refuse = (result: xdr.ClaimClaimableBalanceResult): never =>
    fail(xdr.OperationResultTr.claimClaimableBalance(result))
  const id = hex(op.balanceId.v0.value)
  const entry = frame.get(entryKey.claimable(id))
  if (entry?.kind !== 'claimable') return refuse(Result.claimClaimableBalanceDoesNotExist())
  const claimant = entry.claimants.find(({ destination }) => destination === source)
  if (!claimant || !isTrue(xdr.ClaimPredicate.fromXdr(claimant.predicate, 'base64'), tx.ledger.closeTime))
    return refuse(Result.claimClaimableBalanceCannotClaim())
  const credited = credit(frame, source, entry.asset, entry.amount)
  if (credited === 'noTrust') refuse(Result.claimClaimableBalanceNoTrust())
  if (credited === 'notAuthorized') refuse(Result.claimClaimableBalanceNotAuthorized())
  if (credited) refuse(Result.claimClaimableBalanceLineFull())
  frame.remove(entryKey.claimable(id))
  if (entry.sponsor) giveSponsorship(frame, entry.sponsor, entry.claimants.length)
  context.events.push(
    transferEvent(tx.ledger.network, entry.asset, {
      from: { claimable: id },
      to: { account: source },
      amount: entry.amount,
      id: muxedId(null, tx.transaction.memo),
    }),
  )
  return xdr.OperationResultTr.claimClaimableBalance(Result.claimClaimableBalanceSuccess())
}
