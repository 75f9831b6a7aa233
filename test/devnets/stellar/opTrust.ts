import { xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { flags, keyOf } from './entries.ts'
import { authorizationSet, clawedBack } from './events.ts'
import { giveReserve, takeReserve } from './money.ts'
import { accountIn, lineIn } from './state.ts'
import { accountOf, assetOf, baseOf, issuerOf } from './values.ts'

/* Change trust, set trust line flags, clawback: Stellar docs, "List of operations"; CAP-18, CAP-29, CAP-35. */

const { account: accountFlags, line: lineFlags } = flags

const fail = (result: xdr.OperationResultTr): never => {
  throw new OperationFailure(xdr.OperationResult.opInner(result))
}

/** The asset of a trust line; null for pool shares, which this chain lacks. */
export function lineAsset(line: xdr.ChangeTrustAsset): string | null {
  if (line.type === 'assetTypePoolShare') return null
  return assetOf(xdr.Asset.fromXdr(line.toXdr()))
}

export function changeTrust(context: OperationContext, op: xdr.ChangeTrustOp): xdr.OperationResultTr {
  const { frame, source } = context
  const refuse = (result: xdr.ChangeTrustResult): never => fail(xdr.OperationResultTr.changeTrust(result))
  const asset = lineAsset(op.line)
  if (asset === null) throw new OperationFailure(xdr.OperationResult.opNotSupported())
  const line = lineIn(frame, source, asset)
  if (line) {
    if (op.limit < line.balance + line.buying) refuse(xdr.ChangeTrustResult.changeTrustInvalidLimit())
    if (op.limit === 0n) {
      frame.remove(keyOf(line))
      giveReserve(frame, source, 1, line.sponsor)
    } else frame.put({ ...line, limit: op.limit })
    return xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess())
  }
  if (op.limit === 0n) refuse(xdr.ChangeTrustResult.changeTrustInvalidLimit())
  const issuer = accountIn(frame, issuerOf(asset) ?? '')
  if (!issuer) return refuse(xdr.ChangeTrustResult.changeTrustNoIssuer())
  const reserve = takeReserve(context, source, 1)
  if (reserve === 'lowReserve') return refuse(xdr.ChangeTrustResult.changeTrustLowReserve())
  frame.put({
    kind: 'trustline',
    account: source,
    asset,
    balance: 0n,
    limit: op.limit,
    flags:
      (issuer.flags & accountFlags.authRequired ? 0 : lineFlags.authorized) |
      (issuer.flags & accountFlags.authClawback ? lineFlags.clawback : 0),
    buying: 0n,
    selling: 0n,
    modified: 0,
    sponsor: reserve.sponsor,
  })
  return xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess())
}

/** Does not remove a deauthorized holder's offers: no such holder has offers in our tests. */
export function setTrustLineFlags(
  context: OperationContext,
  op: xdr.SetTrustLineFlagsOp,
): xdr.OperationResultTr {
  const { frame, source } = context
  const refuse = (result: xdr.SetTrustLineFlagsResult): never =>
    fail(xdr.OperationResultTr.setTrustLineFlags(result))
  const issuer = accountIn(frame, source)
  const either = lineFlags.authorized | lineFlags.maintainLiabilities
  const line = lineIn(frame, accountOf(op.trustor), assetOf(op.asset))
  if (!line) return refuse(xdr.SetTrustLineFlagsResult.setTrustLineFlagsNoTrustLine())
  const revokes = (op.clearFlags & lineFlags.authorized) !== 0 && (line.flags & lineFlags.authorized) !== 0
  if (revokes && !((issuer?.flags ?? 0) & accountFlags.authRevocable))
    refuse(xdr.SetTrustLineFlagsResult.setTrustLineFlagsCantRevoke())
  const next = (line.flags & ~op.clearFlags) | op.setFlags
  if ((next & either) === either) refuse(xdr.SetTrustLineFlagsResult.setTrustLineFlagsInvalidState())
  frame.put({ ...line, flags: next })
  if ((next ^ line.flags) & lineFlags.authorized)
    authorizationSet(context, line.account, line.asset, (next & lineFlags.authorized) !== 0)
  return xdr.OperationResultTr.setTrustLineFlags(xdr.SetTrustLineFlagsResult.setTrustLineFlagsSuccess())
}

export function clawback(context: OperationContext, op: xdr.ClawbackOp): xdr.OperationResultTr {
  const { frame } = context
  const refuse = (result: xdr.ClawbackResult): never => fail(xdr.OperationResultTr.clawback(result))
  const [from, asset] = [baseOf(op.from), assetOf(op.asset)]
  const line = lineIn(frame, from, asset)
  if (!line) return refuse(xdr.ClawbackResult.clawbackNoTrust())
  if (!(line.flags & lineFlags.clawback)) refuse(xdr.ClawbackResult.clawbackNotClawbackEnabled())
  if (line.balance - line.selling < op.amount) refuse(xdr.ClawbackResult.clawbackUnderfunded())
  frame.put({ ...line, balance: line.balance - op.amount })
  clawedBack(context, from, asset, op.amount)
  return xdr.OperationResultTr.clawback(xdr.ClawbackResult.clawbackSuccess())
}
