import { xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { paid } from './events.ts'
import { type Crossing, claimAtoms, crossOffers, type Rounding } from './exchange.ts'
import { credit, debit, type Refusal } from './money.ts'
import { tradeEvents } from './opPayments.ts'
import { accountIn } from './state.ts'
import { type AssetName, accountKey, assetKey, assetOf, baseOf, maxAmount } from './values.ts'

/* Path payments: Stellar docs, "List of operations", and CAP-4 for the arithmetic. Trades use offers only: there are no pools here. */

const fail = (result: xdr.OperationResultTr): never => {
  throw new OperationFailure(xdr.OperationResult.opInner(result))
}

/** The hops of a path. Consecutive equal assets are not a hop. */
const hopsOf = (assets: readonly AssetName[]): [AssetName, AssetName][] =>
  assets.slice(1).flatMap((asset, i): [AssetName, AssetName][] => {
    const before = assets[i]
    return before === undefined || before === asset ? [] : [[before, asset]]
  })

/** Trades one hop in full. @throws by `refuse` if the book has too few offers */
function hop(
  context: OperationContext,
  [send, receive]: [AssetName, AssetName],
  amount: { send: bigint } | { receive: bigint },
  refuse: { tooFew: () => never; self: () => never },
): Crossing {
  const rounding: Rounding = 'send' in amount ? 'strictSend' : 'strictReceive'
  const limits =
    'send' in amount
      ? { maxSend: amount.send, maxReceive: maxAmount }
      : { maxSend: maxAmount, maxReceive: amount.receive }
  const crossing = crossOffers(context, { send, receive }, limits, rounding)
  if (crossing.crossedSelf) refuse.self()
  if ('send' in amount ? crossing.sent < amount.send : crossing.received < amount.receive) refuse.tooFew()
  return crossing
}

const lastOf = (destination: xdr.MuxedAccount, asset: AssetName, amount: bigint) =>
  new xdr.SimplePaymentResult({
    destination: accountKey(baseOf(destination)),
    asset: assetKey(asset),
    amount,
  })

const { PathPaymentStrictReceiveResult: Receive, PathPaymentStrictSendResult: Send } = xdr

const receivePayee: Record<Refusal, () => xdr.PathPaymentStrictReceiveResult> = {
  underfunded: Receive.pathPaymentStrictReceiveUnderfunded,
  noTrust: Receive.pathPaymentStrictReceiveNoTrust,
  notAuthorized: Receive.pathPaymentStrictReceiveNotAuthorized,
  full: Receive.pathPaymentStrictReceiveLineFull,
}
const receivePayer: Record<Refusal, () => xdr.PathPaymentStrictReceiveResult> = {
  ...receivePayee,
  noTrust: Receive.pathPaymentStrictReceiveSrcNoTrust,
  notAuthorized: Receive.pathPaymentStrictReceiveSrcNotAuthorized,
}

/** From the destination back to the source: the received amount is fixed. */
export function pathPaymentStrictReceive(
  context: OperationContext,
  op: xdr.PathPaymentStrictReceiveOp,
): xdr.OperationResultTr {
  const { frame, source } = context
  const refuse = (result: xdr.PathPaymentStrictReceiveResult) =>
    fail(xdr.OperationResultTr.pathPaymentStrictReceive(result))
  const [destination, sendAsset, destAsset] = [
    baseOf(op.destination),
    assetOf(op.sendAsset),
    assetOf(op.destAsset),
  ]
  if (!accountIn(frame, destination)) refuse(Receive.pathPaymentStrictReceiveNoDestination())
  const credited = credit(frame, destination, destAsset, op.destAmount)
  if (credited) refuse(receivePayee[credited]())
  let amount = op.destAmount
  const atoms: xdr.ClaimOfferAtom[] = []
  for (const pair of hopsOf([sendAsset, ...op.path.map(assetOf), destAsset]).reverse()) {
    const crossing = hop(
      context,
      pair,
      { receive: amount },
      {
        tooFew: () => refuse(Receive.pathPaymentStrictReceiveTooFewOffers()),
        self: () => refuse(Receive.pathPaymentStrictReceiveOfferCrossSelf()),
      },
    )
    amount = crossing.sent
    atoms.unshift(...crossing.atoms)
  }
  if (amount > op.sendMax) refuse(Receive.pathPaymentStrictReceiveOverSendmax())
  const debited = debit(frame, source, sendAsset, amount)
  if (debited) refuse(receivePayer[debited]())
  tradeEvents(context, atoms)
  paid(context, op.destination, destAsset, op.destAmount)
  const success = new xdr.PathPaymentStrictReceiveResultSuccess({
    offers: claimAtoms(atoms),
    last: lastOf(op.destination, destAsset, op.destAmount),
  })
  return xdr.OperationResultTr.pathPaymentStrictReceive(Receive.pathPaymentStrictReceiveSuccess(success))
}

const sendPayee: Record<Refusal, () => xdr.PathPaymentStrictSendResult> = {
  underfunded: Send.pathPaymentStrictSendUnderfunded,
  noTrust: Send.pathPaymentStrictSendNoTrust,
  notAuthorized: Send.pathPaymentStrictSendNotAuthorized,
  full: Send.pathPaymentStrictSendLineFull,
}
const sendPayer: Record<Refusal, () => xdr.PathPaymentStrictSendResult> = {
  ...sendPayee,
  noTrust: Send.pathPaymentStrictSendSrcNoTrust,
  notAuthorized: Send.pathPaymentStrictSendSrcNotAuthorized,
}

/** From the source to the destination: the sent amount is fixed. */
export function pathPaymentStrictSend(
  context: OperationContext,
  op: xdr.PathPaymentStrictSendOp,
): xdr.OperationResultTr {
  const { frame, source } = context
  const refuse = (result: xdr.PathPaymentStrictSendResult) =>
    fail(xdr.OperationResultTr.pathPaymentStrictSend(result))
  const [destination, sendAsset, destAsset] = [
    baseOf(op.destination),
    assetOf(op.sendAsset),
    assetOf(op.destAsset),
  ]
  if (!accountIn(frame, destination)) refuse(Send.pathPaymentStrictSendNoDestination())
  const debited = debit(frame, source, sendAsset, op.sendAmount)
  if (debited) refuse(sendPayer[debited]())
  let amount = op.sendAmount
  const atoms: xdr.ClaimOfferAtom[] = []
  for (const pair of hopsOf([sendAsset, ...op.path.map(assetOf), destAsset])) {
    const crossing = hop(
      context,
      pair,
      { send: amount },
      {
        tooFew: () => refuse(Send.pathPaymentStrictSendTooFewOffers()),
        self: () => refuse(Send.pathPaymentStrictSendOfferCrossSelf()),
      },
    )
    amount = crossing.received
    atoms.push(...crossing.atoms)
  }
  if (amount < op.destMin) refuse(Send.pathPaymentStrictSendUnderDestmin())
  const credited = credit(frame, destination, destAsset, amount)
  if (credited) refuse(sendPayee[credited]())
  tradeEvents(context, atoms)
  paid(context, op.destination, destAsset, amount)
  const success = new xdr.PathPaymentStrictSendResultSuccess({
    offers: claimAtoms(atoms),
    last: lastOf(op.destination, destAsset, amount),
  })
  return xdr.OperationResultTr.pathPaymentStrictSend(Send.pathPaymentStrictSendSuccess(success))
}
