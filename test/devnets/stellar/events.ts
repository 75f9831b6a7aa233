import { nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk'
import type { Network, OperationContext } from './context.ts'
import { type AssetName, accountKey, baseOf, issuerOf, muxedOf, nativeAsset, sdkAsset } from './values.ts'

/*
 * The events of CAP-67 ("Unified Asset Events", final in protocol 23), as a core with EMIT_CLASSIC_EVENTS
 * writes them.
 */

/** Source or destination of a transfer. */
export type Party = { account: string } | { claimable: string }

const address = (party: Party): xdr.ScVal =>
  xdr.ScVal.scvAddress(
    'account' in party
      ? xdr.ScAddress.scAddressTypeAccount(accountKey(party.account))
      : xdr.ScAddress.scAddressTypeClaimableBalance(
          xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.from(party.claimable, 'hex')),
        ),
  )

export const i128 = (amount: bigint): xdr.ScVal => nativeToScVal(amount, { type: 'i128' })

/** The id in an event: of the muxed destination, otherwise of the memo. CAP-67, "Multiplexing support". */
export function muxedId(destination: { id: bigint } | null, memo: xdr.Memo): xdr.ScVal | null {
  if (destination) return xdr.ScVal.scvU64(destination.id)
  switch (memo.type) {
    case 'memoNone':
      return null
    case 'memoId':
      return xdr.ScVal.scvU64(memo.id)
    case 'memoText':
      return xdr.ScVal.scvString(memo.text)
    case 'memoHash':
      return xdr.ScVal.scvBytes(memo.hash.value)
    case 'memoReturn':
      return xdr.ScVal.scvBytes(memo.retHash.value)
  }
}

/** Data of a transfer or mint: the amount, or a map if there is an id. */
function moved(amount: bigint, id: xdr.ScVal | null): xdr.ScVal {
  if (!id) return i128(amount)
  const entry = (key: string, val: xdr.ScVal) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(key), val })
  return xdr.ScVal.scvMap([entry('amount', i128(amount)), entry('to_muxed_id', id)])
}

/** An event of the asset's contract. Its address is reserved even if it was never deployed. */
function assetEvent(
  network: Network,
  asset: AssetName,
  topics: xdr.ScVal[],
  data: xdr.ScVal,
): xdr.ContractEvent {
  return new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId: new xdr.ContractId(StrKey.decodeContract(sdkAsset(asset).contractId(network.passphrase))),
    type: xdr.ContractEventType.contract,
    body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
  })
}

/** `mint` from the issuer, `burn` to it, `transfer` otherwise, also from the issuer to itself. */
export function transferEvent(
  network: Network,
  asset: AssetName,
  { from, to, amount, id = null }: { from: Party; to: Party; amount: bigint; id?: xdr.ScVal | null },
): xdr.ContractEvent {
  const issuer = issuerOf(asset)
  const isIssuer = (party: Party) => issuer !== null && 'account' in party && party.account === issuer
  const name = xdr.ScVal.scvString(asset)
  if (isIssuer(from) && !isIssuer(to))
    return assetEvent(network, asset, [xdr.ScVal.scvSymbol('mint'), address(to), name], moved(amount, id))
  if (isIssuer(to) && !isIssuer(from))
    return assetEvent(network, asset, [xdr.ScVal.scvSymbol('burn'), address(from), name], i128(amount))
  return assetEvent(
    network,
    asset,
    [xdr.ScVal.scvSymbol('transfer'), address(from), address(to), name],
    moved(amount, id),
  )
}

/** Adds the event of a payment to an account: with the id of a muxed destination or of the memo. */
export function paid(
  context: OperationContext,
  destination: xdr.MuxedAccount,
  asset: AssetName,
  amount: bigint,
  from?: Party,
): void {
  const { ledger, transaction } = context.tx
  const id = muxedId(muxedOf(destination), transaction.memo)
  const to = { account: baseOf(destination) }
  context.events.push(
    transferEvent(ledger.network, asset, { from: from ?? { account: context.source }, to, amount, id }),
  )
}

/** Adds the event of a transfer without an id: trades, and transfers into claimable balances. */
export function movedBetween(
  context: OperationContext,
  from: Party,
  to: Party,
  asset: AssetName,
  amount: bigint,
): void {
  context.events.push(transferEvent(context.tx.ledger.network, asset, { from, to, amount }))
}

/** Adds the event of a clawback. */
export function clawedBack(context: OperationContext, from: string, asset: AssetName, amount: bigint): void {
  const topics = [xdr.ScVal.scvSymbol('clawback'), address({ account: from }), xdr.ScVal.scvString(asset)]
  context.events.push(assetEvent(context.tx.ledger.network, asset, topics, i128(amount)))
}

/** Adds the event of an issuer's authorization of a holder, or its revocation. */
export function authorizationSet(
  context: OperationContext,
  account: string,
  asset: AssetName,
  authorized: boolean,
): void {
  const topics = [xdr.ScVal.scvSymbol('set_authorized'), address({ account }), xdr.ScVal.scvString(asset)]
  context.events.push(assetEvent(context.tx.ledger.network, asset, topics, xdr.ScVal.scvBool(authorized)))
}

/** The fee before all transactions, or (negative) the refund after them. */
export function feeEvent(network: Network, account: string, amount: bigint): xdr.TransactionEvent {
  const { transactionEventStageBeforeAllTxs, transactionEventStageAfterAllTxs } = xdr.TransactionEventStage
  return new xdr.TransactionEvent({
    stage: amount < 0n ? transactionEventStageAfterAllTxs : transactionEventStageBeforeAllTxs,
    event: assetEvent(network, nativeAsset, [xdr.ScVal.scvSymbol('fee'), address({ account })], i128(amount)),
  })
}
