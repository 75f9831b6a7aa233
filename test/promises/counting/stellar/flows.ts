import {
  Asset,
  encodeMuxedAccount,
  encodeMuxedAccountToAddress,
  StrKey,
  type xdr,
} from '@stellar/stellar-sdk/base'
import { baseOf, type RawOperation } from './rawStellar.ts'

/** A transfer between holders within an operation, from the operation and its result. */
export interface Flow {
  /** `G…`, `L…` of a pool, `B…` of a claimable balance. */
  from: string
  to: string
  /** With the payer's id, `M…`, only if it goes to the operation's own destination; otherwise `to`. */
  addressed: string
  /** `CODE:ISSUER`, or `native`. */
  asset: string
  /** In units of 10^-7. */
  amount: bigint
  /** Taken in a trade on the way, not the operation's own amount. */
  traded: boolean
}

/**
 * The transfers of an operation (Stellar docs, "List of Operations", and Stellar-transaction.x for the
 * results).
 * @throws for kinds that move value but are not in the recordings, so that they are not skipped
 */
export function flowsOf(raw: RawOperation): Flow[] {
  const { operation, result, source } = raw
  if (result.type !== 'opInner')
    throw new Error(`an operation of ${raw.txId} failed, but the transaction succeeded`)
  const { tr } = result
  switch (tr.type) {
    case 'payment':
      if (operation.type !== 'payment') break
      return [flow(source, raw, operation.destination, operation.asset.toString(), unitsOf(operation.amount))]
    case 'createAccount':
      if (operation.type !== 'createAccount') break
      return [flow(source, raw, operation.destination, 'native', unitsOf(operation.startingBalance))]
    case 'accountMerge':
      if (operation.type !== 'accountMerge' || tr.accountMergeResult.type !== 'accountMergeSuccess') break
      return [flow(source, raw, operation.destination, 'native', tr.accountMergeResult.sourceAccountBalance)]
    case 'pathPaymentStrictSend':
      if (
        operation.type !== tr.type ||
        tr.pathPaymentStrictSendResult.type !== 'pathPaymentStrictSendSuccess'
      )
        break
      return pathFlows(raw, operation.destination, tr.pathPaymentStrictSendResult.success)
    case 'pathPaymentStrictReceive':
      if (
        operation.type !== tr.type ||
        tr.pathPaymentStrictReceiveResult.type !== 'pathPaymentStrictReceiveSuccess'
      )
        break
      return pathFlows(raw, operation.destination, tr.pathPaymentStrictReceiveResult.success)
    case 'manageBuyOffer':
      if (tr.manageBuyOfferResult.type !== 'manageBuyOfferSuccess') break
      return tr.manageBuyOfferResult.success.offersClaimed.flatMap((atom) => tradeFlows(source, atom))
    case 'manageSellOffer':
      if (tr.manageSellOfferResult.type !== 'manageSellOfferSuccess') break
      return tr.manageSellOfferResult.success.offersClaimed.flatMap((atom) => tradeFlows(source, atom))
    case 'changeTrust':
      return []
    case 'claimClaimableBalance':
      return claimed(raw)
  }
  throw new Error(`unexpected operation ${tr.type} in ${raw.txId}: this count does not support it`)
}

const plain = (from: string, to: string, asset: string, amount: bigint, traded = false): Flow => ({
  from,
  to,
  addressed: to,
  asset,
  amount,
  traded,
})

function flow(
  from: string,
  { memo }: RawOperation,
  destination: string,
  asset: string,
  amount: bigint,
): Flow {
  const id = destination.startsWith('M') ? null : idOf(memo.type, memo.value)
  const addressed =
    id === null ? destination : encodeMuxedAccountToAddress(encodeMuxedAccount(destination, id))
  return { ...plain(from, baseOf(destination), asset, amount), addressed }
}

/** Many wallets write an id as text. Zero is not assigned. */
function idOf(type: string, value: unknown): string | null {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)
  return (type === 'id' || type === 'text') && /^[1-9]\d*$/.test(text) && BigInt(text) < 2n ** 64n
    ? text
    : null
}

type Path = { offers: readonly xdr.ClaimAtom[]; last: { asset: xdr.Asset; amount: bigint } }

/** Trades along the path, then pays the final amount. */
const pathFlows = (raw: RawOperation, destination: string, { offers, last }: Path): Flow[] => [
  ...offers.flatMap((atom) => tradeFlows(raw.source, atom)),
  flow(raw.source, raw, destination, nameOf(last.asset), last.amount),
]

/** The atom names bought and sold from the view of the maker (offer or pool). */
function tradeFlows(taker: string, atom: xdr.ClaimAtom): Flow[] {
  const { assetBought, amountBought, assetSold, amountSold } = tradeOf(atom)
  const other = makerOf(atom)
  const flows = [
    plain(taker, other, nameOf(assetBought), amountBought, true),
    plain(other, taker, nameOf(assetSold), amountSold, true),
  ]
  return flows.filter(({ amount }) => amount > 0n)
}

function tradeOf(atom: xdr.ClaimAtom) {
  if (atom.type === 'claimAtomTypeV0') return atom.v0
  return atom.type === 'claimAtomTypeOrderBook' ? atom.orderBook : atom.liquidityPool
}

function makerOf(atom: xdr.ClaimAtom): string {
  if (atom.type === 'claimAtomTypeLiquidityPool')
    return StrKey.encodeLiquidityPool(atom.liquidityPool.liquidityPoolId.value)
  if (atom.type === 'claimAtomTypeV0') return StrKey.encodeEd25519PublicKey(atom.v0.sellerEd25519.value)
  return StrKey.encodeEd25519PublicKey(atom.orderBook.sellerId.ed25519.value)
}

/** Neither operation nor result states the amount; the removed balance does. */
function claimed({ source, changes }: RawOperation): Flow[] {
  return changes.flatMap((change) => {
    if (change.type !== 'ledgerEntryState' || change.state.data.type !== 'claimableBalance') return []
    const { balanceId, asset, amount } = change.state.data.claimableBalance
    return [plain(balanceOf(balanceId), source, nameOf(asset), amount)]
  })
}

/** Strkey of a claimable balance (SEP-23): one byte for its kind, then its hash. */
export const balanceOf = (id: xdr.ClaimableBalanceId): string =>
  StrKey.encodeClaimableBalance(Buffer.concat([Buffer.from([0]), id.toXDR().subarray(-32)]))

export const nameOf = (asset: xdr.Asset): string => Asset.fromOperation(asset).toString()

/** Operations have amounts with seven decimals. */
const unitsOf = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole) * 10_000_000n + BigInt(fraction.padEnd(7, '0'))
}
