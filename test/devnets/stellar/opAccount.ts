import { SignerKey, xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { type AccountEntry, entryKey, flags } from './entries.ts'
import { giveReserve, takeReserve } from './money.ts'
import { accountIn } from './state.ts'
import { accountOf } from './values.ts'

/* Set options, bump sequence, manage data and sponsorships: Stellar docs, "List of operations"; CAP-33 for the last. */

/** Stellar docs, "Signatures and multisig": signers other than the master key. */
const maxSigners = 20

const fail = (result: xdr.OperationResultTr): never => {
  throw new OperationFailure(xdr.OperationResult.opInner(result))
}

const ownAccount = ({ frame, source }: OperationContext): AccountEntry => {
  const entry = accountIn(frame, source)
  if (!entry) throw new OperationFailure(xdr.OperationResult.opNoAccount())
  return entry
}

export function setOptions(context: OperationContext, op: xdr.SetOptionsOp): xdr.OperationResultTr {
  const { SetOptionsResult: Result } = xdr
  const refuse = (result: xdr.SetOptionsResult): never => fail(xdr.OperationResultTr.setOptions(result))
  const before = ownAccount(context)
  const { authRequired, authRevocable, authImmutable, authClawback } = flags.account
  if (op.setFlags !== null || op.clearFlags !== null) {
    const changes = (op.setFlags ?? 0) | (op.clearFlags ?? 0)
    if (
      before.flags & authImmutable &&
      changes & (authRequired | authRevocable | authImmutable | authClawback)
    )
      refuse(Result.setOptionsCantChange())
  }
  const nextFlags = (before.flags & ~(op.clearFlags ?? 0)) | (op.setFlags ?? 0)
  if (nextFlags & authClawback && !(nextFlags & authRevocable))
    refuse(Result.setOptionsAuthRevocableRequired())
  const [master, low, medium, high] = before.thresholds
  context.frame.put({
    ...before,
    flags: nextFlags,
    homeDomain: op.homeDomain === null ? before.homeDomain : op.homeDomain.toString(),
    thresholds: [
      op.masterWeight ?? master,
      op.lowThreshold ?? low,
      op.medThreshold ?? medium,
      op.highThreshold ?? high,
    ],
  })
  if (op.signer) setSigner(context, op.signer, refuse)
  return xdr.OperationResultTr.setOptions(Result.setOptionsSuccess())
}

/** Weight 0 removes a signer. Each signer is a subentry with a reserve. */
function setSigner(
  context: OperationContext,
  signer: xdr.Signer,
  refuse: (result: xdr.SetOptionsResult) => never,
): void {
  const { frame, source } = context
  const key = SignerKey.encodeSignerKey(signer.key)
  const { signers } = ownAccount(context)
  const known = signers.some((each) => each.key === key)
  if (signer.weight === 0) {
    if (!known) return
    giveReserve(frame, source, 1, null)
  } else if (!known) {
    if (signers.length >= maxSigners) refuse(xdr.SetOptionsResult.setOptionsTooManySigners())
    if (takeReserve(context, source, 1) === 'lowReserve') refuse(xdr.SetOptionsResult.setOptionsLowReserve())
  }
  const others = signers.filter((each) => each.key !== key)
  const next = signer.weight === 0 ? others : [...others, { key, weight: signer.weight }]
  frame.put({ ...ownAccount(context), signers: next.sort((a, b) => (a.key < b.key ? -1 : 1)) })
}

/** Never backwards: bumping to a lower number is a no-op (CAP-1). */
export function bumpSequence(context: OperationContext, op: xdr.BumpSequenceOp): xdr.OperationResultTr {
  const entry = ownAccount(context)
  const { sequence: ledger, closeTime: time } = context.tx.ledger
  if (op.bumpTo > entry.sequence)
    context.frame.put({ ...entry, sequence: op.bumpTo, sequenceSet: { ledger, time } })
  return xdr.OperationResultTr.bumpSequence(xdr.BumpSequenceResult.bumpSequenceSuccess())
}

export function manageData(context: OperationContext, op: xdr.ManageDataOp): xdr.OperationResultTr {
  const { frame, source } = context
  const refuse = (result: xdr.ManageDataResult): never => fail(xdr.OperationResultTr.manageData(result))
  const name = op.dataName.toString()
  const key = entryKey.data(source, name)
  const before = frame.get(key)
  if (op.dataValue === null) {
    if (!before) return refuse(xdr.ManageDataResult.manageDataNameNotFound())
    frame.remove(key)
    giveReserve(frame, source, 1, before.sponsor)
  } else {
    const reserve = before ? { sponsor: before.sponsor } : takeReserve(context, source, 1)
    if (reserve === 'lowReserve') return refuse(xdr.ManageDataResult.manageDataLowReserve())
    const value = Buffer.from(op.dataValue.value).toString('base64')
    frame.put({ kind: 'data', account: source, name, value, modified: 0, sponsor: reserve.sponsor })
  }
  return xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess())
}

export function beginSponsoring(
  { tx, source }: OperationContext,
  op: xdr.BeginSponsoringFutureReservesOp,
): xdr.OperationResultTr {
  const { BeginSponsoringFutureReservesResult: Result } = xdr
  const refuse = (result: xdr.BeginSponsoringFutureReservesResult) =>
    fail(xdr.OperationResultTr.beginSponsoringFutureReserves(result))
  const sponsored = accountOf(op.sponsoredId)
  if (tx.sponsors.has(sponsored)) refuse(Result.beginSponsoringFutureReservesAlreadySponsored())
  if (tx.sponsors.has(source) || [...tx.sponsors.values()].includes(sponsored))
    refuse(Result.beginSponsoringFutureReservesRecursive())
  tx.sponsors.set(sponsored, source)
  return xdr.OperationResultTr.beginSponsoringFutureReserves(Result.beginSponsoringFutureReservesSuccess())
}

export function endSponsoring({ tx, source }: OperationContext): xdr.OperationResultTr {
  const { EndSponsoringFutureReservesResult: Result } = xdr
  if (!tx.sponsors.delete(source))
    fail(xdr.OperationResultTr.endSponsoringFutureReserves(Result.endSponsoringFutureReservesNotSponsored()))
  return xdr.OperationResultTr.endSponsoringFutureReserves(Result.endSponsoringFutureReservesSuccess())
}
