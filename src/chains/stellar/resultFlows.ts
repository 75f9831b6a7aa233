import { Asset, StrKey, type xdr } from '@stellar/stellar-sdk/base'
import type { Flow } from './ledger.ts'

export const assetOf = (code: string): string | null => (code === 'native' ? null : code)
export const assetOfXdr = (asset: xdr.Asset): string | null => assetOf(Asset.fromOperation(asset).toString())

export const resultOf = (result: xdr.OperationResult | null): xdr.OperationResultTr | null =>
  result?.type === 'opInner' ? result.tr : null

/** A movement in the form of CAP-67 events: an asset's issuer is null on its side. */
export function flow(
  from: string,
  to: string,
  asset: string | null,
  amount: bigint,
  id: bigint | null = null,
): Flow[] {
  const holder = (account: string) => (asset?.endsWith(`:${account}`) ? null : account)
  return amount > 0n && from !== to ? [{ from: holder(from), to: holder(to), id, asset, amount }] : []
}

/**
 * Trades of an operation's source with offers and pools. The result lists all of them, and the ledger's
 * header commits to it.
 */
export const tradesOf = (source: string, result: xdr.OperationResult | null): Flow[] =>
  claimedBy(resultOf(result)).flatMap((atom) => {
    // Bought and sold are from the view of the offer's owner.
    const { assetBought, amountBought, assetSold, amountSold } = tradeOf(atom)
    const maker = makerOf(atom)
    return [
      ...flow(source, maker, assetOfXdr(assetBought), amountBought),
      ...flow(maker, source, assetOfXdr(assetSold), amountSold),
    ]
  })

/**
 * The amount that a path payment spent: the sum paid in its first trades. Without a trade it is the received
 * amount.
 */
export function sentOnPath(result: xdr.OperationResult | null, asset: string | null): bigint | null {
  const tr = resultOf(result)
  if (
    tr?.type !== 'pathPaymentStrictReceive' ||
    tr.pathPaymentStrictReceiveResult.type !== 'pathPaymentStrictReceiveSuccess'
  )
    return null
  const { offers, last } = tr.pathPaymentStrictReceiveResult.success
  if (offers.length === 0) return last.amount
  return offers
    .map(tradeOf)
    .filter(({ assetBought }) => assetOfXdr(assetBought) === asset)
    .reduce((sum, { amountBought }) => sum + amountBought, 0n)
}

function claimedBy(tr: xdr.OperationResultTr | null): readonly xdr.ClaimAtom[] {
  switch (tr?.type) {
    case 'pathPaymentStrictSend':
      return tr.pathPaymentStrictSendResult.type === 'pathPaymentStrictSendSuccess'
        ? tr.pathPaymentStrictSendResult.success.offers
        : []
    case 'pathPaymentStrictReceive':
      return tr.pathPaymentStrictReceiveResult.type === 'pathPaymentStrictReceiveSuccess'
        ? tr.pathPaymentStrictReceiveResult.success.offers
        : []
    case 'manageSellOffer':
      return tr.manageSellOfferResult.type === 'manageSellOfferSuccess'
        ? tr.manageSellOfferResult.success.offersClaimed
        : []
    case 'manageBuyOffer':
      return tr.manageBuyOfferResult.type === 'manageBuyOfferSuccess'
        ? tr.manageBuyOfferResult.success.offersClaimed
        : []
    case 'createPassiveSellOffer':
      return tr.createPassiveSellOfferResult.type === 'manageSellOfferSuccess'
        ? tr.createPassiveSellOfferResult.success.offersClaimed
        : []
    default:
      return []
  }
}

function tradeOf(atom: xdr.ClaimAtom) {
  if (atom.type === 'claimAtomTypeV0') return atom.v0
  return atom.type === 'claimAtomTypeOrderBook' ? atom.orderBook : atom.liquidityPool
}

function makerOf(atom: xdr.ClaimAtom): string {
  if (atom.type === 'claimAtomTypeLiquidityPool')
    return StrKey.encodeLiquidityPool(atom.liquidityPool.liquidityPoolId.value)
  const key =
    atom.type === 'claimAtomTypeV0' ? atom.v0.sellerEd25519.value : atom.orderBook.sellerId.ed25519.value
  return StrKey.encodeEd25519PublicKey(key)
}
