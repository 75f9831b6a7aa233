import { xdr } from '@stellar/stellar-sdk'
import { type OperationContext, OperationFailure } from './context.ts'
import { flags, keyOf, type Offer, offerData } from './entries.ts'
import { claimAtoms, crossOffers, liabilitiesOf } from './exchange.ts'
import { addLiabilities, credit, debit, giveReserve, roomFor, spendable, takeReserve } from './money.ts'
import { tradeEvents } from './opPayments.ts'
import { lineIn } from './state.ts'
import { type AssetName, assetOf, ceilDiv, issuerOf, maxAmount, minOf, nativeAsset } from './values.ts'

/* Manage sell offer and manage buy offer: Stellar docs, "List of operations"; CAP-3, CAP-4, CAP-6. */

/** Both operations' results have the same variants under two names. */
type Refused =
  | 'SellNoTrust'
  | 'BuyNoTrust'
  | 'SellNotAuthorized'
  | 'BuyNotAuthorized'
  | 'LineFull'
  | 'Underfunded'
  | 'CrossSelf'
  | 'NotFound'
  | 'LowReserve'

interface Order {
  selling: AssetName
  buying: AssetName
  /** In `selling` for a sell offer, in `buying` for a buy offer. */
  amount: bigint
  /** Price of `selling` in `buying`. */
  n: number
  d: number
  offerId: bigint
  refuse: (why: Refused) => never
}

export function manageSellOffer(context: OperationContext, op: xdr.ManageSellOfferOp): xdr.OperationResultTr {
  const { ManageSellOfferResult: Result } = xdr
  const success = place(context, 'sell', {
    selling: assetOf(op.selling),
    buying: assetOf(op.buying),
    amount: op.amount,
    n: op.price.n,
    d: op.price.d,
    offerId: op.offerId,
    refuse: (why) => {
      throw new OperationFailure(
        xdr.OperationResult.opInner(xdr.OperationResultTr.manageSellOffer(Result[`manageSellOffer${why}`]())),
      )
    },
  })
  return xdr.OperationResultTr.manageSellOffer(Result.manageSellOfferSuccess(success))
}

export function manageBuyOffer(context: OperationContext, op: xdr.ManageBuyOfferOp): xdr.OperationResultTr {
  const { ManageBuyOfferResult: Result } = xdr
  const success = place(context, 'buy', {
    selling: assetOf(op.selling),
    buying: assetOf(op.buying),
    amount: op.buyAmount,
    // A buy offer's price is of `buying` in `selling`; the entry holds the inverse.
    n: op.price.d,
    d: op.price.n,
    offerId: op.offerId,
    refuse: (why) => {
      throw new OperationFailure(
        xdr.OperationResult.opInner(xdr.OperationResultTr.manageBuyOffer(Result[`manageBuyOffer${why}`]())),
      )
    },
  })
  return xdr.OperationResultTr.manageBuyOffer(Result.manageBuyOfferSuccess(success))
}

function checkLines({ frame, source }: OperationContext, { selling, buying, refuse }: Order): void {
  const sides = [
    [selling, 'SellNoTrust', 'SellNotAuthorized'],
    [buying, 'BuyNoTrust', 'BuyNotAuthorized'],
  ] as const
  for (const [asset, noTrust, notAuthorized] of sides) {
    if (asset === nativeAsset || issuerOf(asset) === source) continue
    const line = lineIn(frame, source, asset)
    if (!line) refuse(noTrust)
    else if (!(line.flags & flags.line.authorized)) refuse(notAuthorized)
  }
}

/** Takes offers at the price or better, and leaves the rest as an offer. */
function place(context: OperationContext, side: 'sell' | 'buy', order: Order): xdr.ManageOfferSuccessResult {
  const { frame, source, tx } = context
  const { selling, buying, refuse } = order
  const old = order.offerId === 0n ? null : frame.get(`offer/${source}/${order.offerId}`)
  if (old !== null && old?.kind !== 'offer') refuse('NotFound')
  const before = old?.kind === 'offer' ? old : null
  if (before) addLiabilities(frame, source, liabilitiesOf(before), -1n)
  if (order.amount === 0n) {
    if (!before) return refuse('NotFound')
    frame.remove(keyOf(before))
    giveReserve(frame, source, 1, before.sponsor)
    return new xdr.ManageOfferSuccessResult({
      offersClaimed: [],
      offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
    })
  }
  checkLines(context, order)
  const reserve = before ? { sponsor: before.sponsor } : takeReserve(context, source, 1)
  if (reserve === 'lowReserve') return refuse('LowReserve')
  const [n, d] = [BigInt(order.n), BigInt(order.d)]
  const toSell = side === 'sell' ? order.amount : ceilDiv(order.amount * d, n)
  const toBuy = ceilDiv(toSell * n, d)
  if (roomFor(frame, source, buying) < toBuy) refuse('LineFull')
  if (spendable(frame, source, selling) < toSell) refuse('Underfunded')

  const crossing = crossOffers(
    context,
    { send: selling, receive: buying },
    { maxSend: toSell, maxReceive: side === 'sell' ? maxAmount : order.amount, worst: { n: d, d: n } },
    'normal',
  )
  if (crossing.crossedSelf) refuse('CrossSelf')
  debit(frame, source, selling, crossing.sent)
  credit(frame, source, buying, crossing.received)
  tradeEvents(context, crossing.atoms)

  const rest = side === 'sell' ? toSell - crossing.sent : ceilDiv((order.amount - crossing.received) * d, n)
  const amount = minOf(rest, toSell - crossing.sent)
  const offersClaimed = claimAtoms(crossing.atoms)
  if (amount <= 0n) {
    if (before) frame.remove(keyOf(before))
    giveReserve(frame, source, 1, reserve.sponsor)
    return new xdr.ManageOfferSuccessResult({
      offersClaimed,
      offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
    })
  }
  if (!before) tx.ledger.idPool += 1n
  const offer: Offer = {
    kind: 'offer',
    seller: source,
    id: before?.id ?? tx.ledger.idPool,
    selling,
    buying,
    amount,
    n: order.n,
    d: order.d,
    modified: 0,
    sponsor: reserve.sponsor,
  }
  frame.put(offer)
  addLiabilities(frame, source, liabilitiesOf(offer), 1n)
  const placed = xdr.ManageOfferSuccessResultOffer[before ? 'manageOfferUpdated' : 'manageOfferCreated'](
    offerData(offer),
  )
  return new xdr.ManageOfferSuccessResult({ offersClaimed, offer: placed })
}
