import { xdr } from '@stellar/stellar-sdk'
import type { OperationContext } from './context.ts'
import { keyOf, type Offer } from './entries.ts'
import { addLiabilities, credit, debit, giveReserve } from './money.ts'
import { type AssetName, accountKey, assetKey, ceilDiv, maxAmount, minOf } from './values.ts'

/**
 * Rounding of a trade: in favour of the offer's seller, except that a path payment keeps its fixed side
 * exact.
 */
export type Rounding = 'normal' | 'strictReceive' | 'strictSend'

/**
 * Amounts that an offer and a taker exchange: CAP-4. `received` is in the asset that the offer sells
 * ("wheat").
 */
export function exchange(
  offer: { n: number; d: number; amount: bigint; canReceive: bigint },
  taker: { maxSend: bigint; maxReceive: bigint },
  rounding: Rounding,
): { received: bigint; sent: bigint; offerStays: boolean } {
  const [n, d] = [BigInt(offer.n), BigInt(offer.d)]
  const offerValue = minOf(n * offer.amount, d * offer.canReceive)
  const takerValue = minOf(d * taker.maxSend, n * taker.maxReceive)
  const offerStays = offerValue > takerValue
  if (offerStays && rounding === 'strictSend')
    return { received: takerValue / n, sent: minOf(taker.maxSend, offer.canReceive), offerStays }
  if (offerStays && (n > d || rounding === 'strictReceive')) {
    const received = takerValue / n
    return { received, sent: ceilDiv(received * n, d), offerStays }
  }
  if (offerStays) {
    const sent = takerValue / d
    return { received: (sent * d) / n, sent, offerStays }
  }
  if (n > d) {
    const received = offerValue / n
    return { received, sent: (received * n) / d, offerStays }
  }
  const sent = offerValue / d
  return { received: ceilDiv(sent * d, n), sent, offerStays }
}

/** An offer's liabilities: CAP-3. */
export const liabilitiesOf = (offer: Offer) => ({
  selling: { asset: offer.selling, amount: offer.amount },
  buying: { asset: offer.buying, amount: ceilDiv(offer.amount * BigInt(offer.n), BigInt(offer.d)) },
})

/** Best price first, older first at the same price: Stellar docs, "Liquidity on Stellar: SDEX". */
const byPrice = (a: Offer, b: Offer): number => {
  const difference = BigInt(a.n) * BigInt(b.d) - BigInt(b.n) * BigInt(a.d)
  return Number(difference || a.id - b.id)
}

export interface Crossing {
  sent: bigint
  received: bigint
  atoms: xdr.ClaimOfferAtom[]
  /** The best remaining offer was the taker's own. */
  crossedSelf: boolean
}

/**
 * Takes the best offers until `maxSend` is spent or `maxReceive` reached. Updates the sellers' balances; the
 * caller updates the taker's.
 * @param worst the limit price n/d (of `receive` in `send`)
 */
export function crossOffers(
  context: Pick<OperationContext, 'frame' | 'source'>,
  pair: { send: AssetName; receive: AssetName },
  limits: { maxSend: bigint; maxReceive: bigint; worst?: { n: bigint; d: bigint; passive?: boolean } },
  rounding: Rounding,
): Crossing {
  const { frame, source } = context
  const crossing: Crossing = { sent: 0n, received: 0n, atoms: [], crossedSelf: false }
  for (const offer of frame.offers(pair.receive, pair.send).sort(byPrice)) {
    const [left, room] = [limits.maxSend - crossing.sent, limits.maxReceive - crossing.received]
    if (left <= 0n || room <= 0n) break
    if (limits.worst && BigInt(offer.n) * limits.worst.d > limits.worst.n * BigInt(offer.d)) break
    if (offer.seller === source) return { ...crossing, crossedSelf: true }
    addLiabilities(frame, offer.seller, liabilitiesOf(offer), -1n)
    const trade = exchange({ ...offer, canReceive: maxAmount }, { maxSend: left, maxReceive: room }, rounding)
    debit(frame, offer.seller, offer.selling, trade.received)
    credit(frame, offer.seller, offer.buying, trade.sent)
    const rest = { ...offer, amount: trade.offerStays ? offer.amount - trade.received : 0n }
    if (rest.amount > 0n) {
      frame.put(rest)
      addLiabilities(frame, offer.seller, liabilitiesOf(rest), 1n)
    } else {
      frame.remove(keyOf(offer))
      giveReserve(frame, offer.seller, 1, offer.sponsor)
    }
    crossing.sent += trade.sent
    crossing.received += trade.received
    crossing.atoms.push(atomOf(offer, trade))
    if (trade.offerStays) break
  }
  return crossing
}

const atomOf = (offer: Offer, trade: { received: bigint; sent: bigint }) =>
  new xdr.ClaimOfferAtom({
    sellerId: accountKey(offer.seller),
    offerId: offer.id,
    assetSold: assetKey(offer.selling),
    amountSold: trade.received,
    assetBought: assetKey(offer.buying),
    amountBought: trade.sent,
  })

export const claimAtoms = (atoms: readonly xdr.ClaimOfferAtom[]): xdr.ClaimAtom[] =>
  atoms.map((atom) => xdr.ClaimAtom.claimAtomTypeOrderBook(atom))
