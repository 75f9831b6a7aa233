import { Address, SignerKey, scValToBigInt, xdr } from '@stellar/stellar-sdk'
import type { DecodedOperation } from './decoded.ts'
import { lineAsset } from './opTrust.ts'
import {
  accountOf,
  assetFields,
  assetOf,
  baseOf,
  formatAmount,
  isoTime,
  muxedOf,
  nativeAsset,
} from './values.ts'

/* Operations as Horizon shows them: Stellar docs, Horizon, "Operations", "The operation object". */

const types: Partial<Record<xdr.OperationBody['type'], readonly [name: string, number: number]>> = {
  createAccount: ['create_account', 0],
  payment: ['payment', 1],
  pathPaymentStrictReceive: ['path_payment_strict_receive', 2],
  manageSellOffer: ['manage_sell_offer', 3],
  setOptions: ['set_options', 5],
  changeTrust: ['change_trust', 6],
  accountMerge: ['account_merge', 8],
  manageData: ['manage_data', 10],
  bumpSequence: ['bump_sequence', 11],
  manageBuyOffer: ['manage_buy_offer', 12],
  pathPaymentStrictSend: ['path_payment_strict_send', 13],
  createClaimableBalance: ['create_claimable_balance', 14],
  claimClaimableBalance: ['claim_claimable_balance', 15],
  beginSponsoringFutureReserves: ['begin_sponsoring_future_reserves', 16],
  endSponsoringFutureReserves: ['end_sponsoring_future_reserves', 17],
  clawback: ['clawback', 19],
  setTrustLineFlags: ['set_trust_line_flags', 21],
  invokeHostFunction: ['invoke_host_function', 24],
}

/**
 * Operations in `/payments`: Stellar docs, Horizon, "List All Payments". Claims of balances are not included.
 */
export const isPayment = ({ body }: DecodedOperation): boolean =>
  [
    'createAccount',
    'payment',
    'pathPaymentStrictReceive',
    'pathPaymentStrictSend',
    'accountMerge',
    'invokeHostFunction',
  ].includes(body.type)

export function operationRecord(operation: DecodedOperation, base: string): Record<string, unknown> {
  const { tx, id, source, account, body } = operation
  const [type, number] = types[body.type] ?? [body.type, -1]
  const own = `${base}/operations/${id}`
  return {
    _links: {
      self: { href: own },
      transaction: { href: `${base}/transactions/${tx.record.hash}` },
      effects: { href: `${own}/effects` },
      succeeds: { href: `${base}/effects?order=desc&cursor=${id}` },
      precedes: { href: `${base}/effects?order=asc&cursor=${id}` },
    },
    id: String(id),
    paging_token: String(id),
    transaction_successful: tx.record.successful,
    source_account: account,
    ...muxedFields('source_account', source),
    type,
    type_i: number,
    created_at: isoTime(tx.ledger.closeTime),
    transaction_hash: tx.record.hash,
    ...detailsOf(operation),
  }
}

/** `…_muxed` and `…_muxed_id`, if the account was given in muxed form (SEP-23). */
export function muxedFields(name: string, account: xdr.MuxedAccount): Record<string, string> {
  const muxed = muxedOf(account)
  return muxed ? { [`${name}_muxed`]: muxed.address, [`${name}_muxed_id`]: String(muxed.id) } : {}
}

export const predicateOf = (predicate: xdr.ClaimPredicate): Record<string, unknown> => {
  switch (predicate.type) {
    case 'claimPredicateUnconditional':
      return { unconditional: true }
    case 'claimPredicateAnd':
      return { and: predicate.andPredicates.map(predicateOf) }
    case 'claimPredicateOr':
      return { or: predicate.orPredicates.map(predicateOf) }
    case 'claimPredicateNot':
      return { not: predicate.notPredicate ? predicateOf(predicate.notPredicate) : {} }
    case 'claimPredicateBeforeAbsoluteTime':
      return {
        abs_before: isoTime(Number(predicate.absBefore)),
        abs_before_epoch: String(predicate.absBefore),
      }
    case 'claimPredicateBeforeRelativeTime':
      return { rel_before: String(predicate.relBefore) }
  }
}

function detailsOf(operation: DecodedOperation): Record<string, unknown> {
  const { body, source, account } = operation
  const from = { from: account, ...muxedFields('from', source) }
  switch (body.type) {
    case 'createAccount': {
      const { startingBalance, destination } = body.createAccountOp
      const funder = { funder: account, ...muxedFields('funder', source) }
      return { starting_balance: formatAmount(startingBalance), ...funder, account: accountOf(destination) }
    }
    case 'payment': {
      const { asset, destination, amount } = body.paymentOp
      return {
        ...assetFields(assetOf(asset)),
        ...from,
        ...toFields(destination),
        amount: formatAmount(amount),
      }
    }
    case 'pathPaymentStrictReceive': {
      const op = body.pathPaymentStrictReceiveOp
      return {
        ...assetFields(assetOf(op.destAsset)),
        ...from,
        ...toFields(op.destination),
        amount: formatAmount(op.destAmount),
        path: op.path.map((asset) => assetFields(assetOf(asset))),
        source_amount: formatAmount(sentAmount(operation)),
        source_max: formatAmount(op.sendMax),
        ...assetFields(assetOf(op.sendAsset), 'source_'),
      }
    }
    case 'pathPaymentStrictSend': {
      const op = body.pathPaymentStrictSendOp
      return {
        ...assetFields(assetOf(op.destAsset)),
        ...from,
        ...toFields(op.destination),
        amount: formatAmount(receivedAmount(operation)),
        path: op.path.map((asset) => assetFields(assetOf(asset))),
        source_amount: formatAmount(op.sendAmount),
        destination_min: formatAmount(op.destMin),
        ...assetFields(assetOf(op.sendAsset), 'source_'),
      }
    }
    case 'accountMerge':
      return {
        account,
        ...muxedFields('account', source),
        into: baseOf(body.destination),
        ...muxedFields('into', body.destination),
      }
    case 'changeTrust': {
      const asset = lineAsset(body.changeTrustOp.line) ?? nativeAsset
      return {
        ...assetFields(asset),
        limit: formatAmount(body.changeTrustOp.limit),
        trustee: asset.split(':')[1],
        trustor: account,
      }
    }
    case 'createClaimableBalance': {
      const { asset, amount, claimants } = body.createClaimableBalanceOp
      const shown = claimants.map(({ v0 }) => ({
        destination: accountOf(v0.destination),
        predicate: predicateOf(v0.predicate),
      }))
      return { asset: assetOf(asset), amount: formatAmount(amount), claimants: shown }
    }
    case 'claimClaimableBalance':
      return {
        balance_id: body.claimClaimableBalanceOp.balanceId.toXdr('hex'),
        claimant: account,
        ...muxedFields('claimant', source),
      }
    case 'invokeHostFunction':
      return invocation(operation, body.invokeHostFunctionOp)
    default:
      return otherDetails(operation)
  }
}

const toFields = (destination: xdr.MuxedAccount) => ({
  to: baseOf(destination),
  ...muxedFields('to', destination),
})

function otherDetails({ body, account }: DecodedOperation): Record<string, unknown> {
  switch (body.type) {
    case 'manageSellOffer':
    case 'manageBuyOffer': {
      const sell = body.type === 'manageSellOffer'
      const op = sell ? body.manageSellOfferOp : body.manageBuyOfferOp
      const amount =
        body.type === 'manageSellOffer' ? body.manageSellOfferOp.amount : body.manageBuyOfferOp.buyAmount
      const price = { price: (op.price.n / op.price.d).toFixed(7), price_r: { n: op.price.n, d: op.price.d } }
      const assets = {
        ...assetFields(assetOf(op.buying), 'buying_'),
        ...assetFields(assetOf(op.selling), 'selling_'),
      }
      return { amount: formatAmount(amount), ...price, ...assets, offer_id: String(op.offerId) }
    }
    case 'setOptions': {
      const { homeDomain, masterWeight, lowThreshold, medThreshold, highThreshold, signer } =
        body.setOptionsOp
      const given = {
        home_domain: homeDomain?.toString() ?? null,
        master_key_weight: masterWeight,
        low_threshold: lowThreshold,
        med_threshold: medThreshold,
        high_threshold: highThreshold,
        signer_key: signer && SignerKey.encodeSignerKey(signer.key),
        signer_weight: signer?.weight ?? null,
      }
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    }
    case 'manageData': {
      const { dataName, dataValue } = body.manageDataOp
      return {
        name: dataName.toString(),
        value: dataValue && Buffer.from(dataValue.value).toString('base64'),
      }
    }
    case 'bumpSequence':
      return { bump_to: String(body.bumpSequenceOp.bumpTo) }
    case 'beginSponsoringFutureReserves':
      return { sponsored_id: accountOf(body.beginSponsoringFutureReservesOp.sponsoredId) }
    case 'clawback': {
      const { asset, from, amount } = body.clawbackOp
      return {
        ...assetFields(assetOf(asset)),
        from: baseOf(from),
        ...muxedFields('from', from),
        amount: formatAmount(amount),
      }
    }
    case 'setTrustLineFlags': {
      const { asset, trustor, setFlags, clearFlags } = body.setTrustLineFlagsOp
      const bits = (flags: number) => [1, 2, 4].filter((bit) => flags & bit)
      return {
        ...assetFields(assetOf(asset)),
        trustor: accountOf(trustor),
        set_flags: bits(setFlags),
        clear_flags: bits(clearFlags),
        trustee: account,
      }
    }
    default:
      return {}
  }
}

/** The amount that a path payment sent: the sum of its first trades, or the amount itself without trades. */
export function sentAmount({ body, result }: DecodedOperation): bigint {
  if (body.type === 'pathPaymentStrictSend') return body.pathPaymentStrictSendOp.sendAmount
  if (body.type !== 'pathPaymentStrictReceive' || result?.type !== 'opInner') return 0n
  const tr = result.tr
  if (
    tr.type !== 'pathPaymentStrictReceive' ||
    tr.pathPaymentStrictReceiveResult.type !== 'pathPaymentStrictReceiveSuccess'
  )
    return 0n
  const { offers } = tr.pathPaymentStrictReceiveResult.success
  const sendAsset = assetOf(body.pathPaymentStrictReceiveOp.sendAsset)
  if (offers.length === 0) return body.pathPaymentStrictReceiveOp.destAmount
  return offers.reduce(
    (sum, atom) =>
      atom.type === 'claimAtomTypeOrderBook' && assetOf(atom.orderBook.assetBought) === sendAsset
        ? sum + atom.orderBook.amountBought
        : sum,
    0n,
  )
}

/** The amount that a path payment delivered; 0 if it failed. */
export function receivedAmount({ body, result }: DecodedOperation): bigint {
  if (body.type === 'pathPaymentStrictReceive') return body.pathPaymentStrictReceiveOp.destAmount
  if (result?.type !== 'opInner' || result.tr.type !== 'pathPaymentStrictSend') return 0n
  const sent = result.tr.pathPaymentStrictSendResult
  return sent.type === 'pathPaymentStrictSendSuccess' ? sent.success.last.amount : 0n
}

/** A transfer by a contract, from its events: Stellar docs, Horizon, "asset_balance_changes". */
export interface BalanceChange {
  type: string
  from?: string
  to?: string
  toMuxedId?: string
  asset: string
  amount: bigint
}

export function balanceChanges({ events }: DecodedOperation): BalanceChange[] {
  return events.flatMap((event): BalanceChange[] => {
    const { topics, data } = event.body.v0
    const [name, ...rest] = topics
    const asset = rest.at(-1)
    const places = rest
      .slice(0, -1)
      .flatMap((topic) =>
        topic.type === 'scvAddress' ? [Address.fromScAddress(topic.address).toString()] : [],
      )
    if (name?.type !== 'scvSymbol' || asset?.type !== 'scvString') return []
    const type = name.sym.toString()
    const map = data.type === 'scvMap' ? (data.map ?? []) : []
    const [amount, id] = data.type === 'scvMap' ? map.map(({ val }) => val) : [data]
    if (amount?.type !== 'scvI128') return []
    const [first, second] = places
    const from = type === 'transfer' ? { from: first, to: second } : { from: first }
    const parties = type === 'mint' ? { to: first } : from
    const given = Object.fromEntries(Object.entries(parties).filter(([, value]) => value !== undefined))
    const muxed = id?.type === 'scvU64' ? { toMuxedId: String(id.u64) } : {}
    return [{ type, ...given, ...muxed, asset: asset.str.toString(), amount: scValToBigInt(amount) }]
  })
}

function invocation(
  operation: DecodedOperation,
  { hostFunction }: xdr.InvokeHostFunctionOp,
): Record<string, unknown> {
  const call = hostFunction.type === 'hostFunctionTypeInvokeContract' ? hostFunction.invokeContract : null
  const values = call
    ? [xdr.ScVal.scvAddress(call.contractAddress), xdr.ScVal.scvSymbol(call.functionName), ...call.args]
    : []
  const names: Record<string, string> = { scvAddress: 'Address', scvSymbol: 'Sym', scvI128: 'I128' }
  return {
    function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
    parameters: values.map((value) => ({
      value: value.toXdr('base64'),
      type: names[value.type] ?? value.type,
    })),
    address: '',
    salt: '',
    asset_balance_changes: balanceChanges(operation).map(({ type, from, to, toMuxedId, asset, amount }) => ({
      ...assetFields(asset),
      type,
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
      amount: formatAmount(amount),
      ...(toMuxedId ? { destination_muxed_id: toMuxedId, destination_muxed_id_type: 'uint64' } : {}),
    })),
  }
}
