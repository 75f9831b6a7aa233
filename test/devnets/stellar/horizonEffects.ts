import { SignerKey, type xdr } from '@stellar/stellar-sdk'
import type { DecodedOperation } from './decoded.ts'
import { balanceChanges, muxedFields, predicateOf, receivedAmount, sentAmount } from './horizonOperations.ts'
import { lineAsset } from './opTrust.ts'
import { accountOf, assetFields, assetOf, baseOf, formatAmount, isoTime } from './values.ts'

/* Effects as Horizon shows them: Stellar docs, Horizon, "Effects", "Types". A failed transaction has no effects. */

const numbers: Record<string, number> = {
  account_created: 0,
  account_removed: 1,
  account_credited: 2,
  account_debited: 3,
  account_thresholds_updated: 4,
  account_home_domain_updated: 5,
  account_flags_updated: 6,
  signer_created: 10,
  signer_removed: 11,
  signer_updated: 12,
  trustline_created: 20,
  trustline_removed: 21,
  trustline_updated: 22,
  trustline_flags_updated: 26,
  trade: 33,
  data_created: 40,
  data_removed: 41,
  data_updated: 42,
  sequence_bumped: 43,
  claimable_balance_created: 50,
  claimable_balance_claimant_created: 51,
  claimable_balance_claimed: 52,
}

interface Effect {
  account: string
  /** Muxed fields, if the operation named a muxed address. */
  muxed: Record<string, string>
  type: keyof typeof numbers
  details: Record<string, unknown>
}

export interface EffectRecord extends Record<string, unknown> {
  account: string
  paging_token: string
}

export function effectRecords(operation: DecodedOperation, base: string): EffectRecord[] {
  if (!operation.tx.record.successful) return []
  const { id } = operation
  return effectsOf(operation).map(({ account, muxed, type, details }, i) => ({
    _links: {
      operation: { href: `${base}/operations/${id}` },
      succeeds: { href: `${base}/effects?order=desc&cursor=${id}-${i + 1}` },
      precedes: { href: `${base}/effects?order=asc&cursor=${id}-${i + 1}` },
    },
    id: `${id.toString().padStart(19, '0')}-${String(i + 1).padStart(10, '0')}`,
    paging_token: `${id}-${i + 1}`,
    account,
    ...muxed,
    type,
    type_i: numbers[type],
    created_at: isoTime(operation.tx.ledger.closeTime),
    ...details,
  }))
}

const of = (account: string, type: string, details: Record<string, unknown> = {}): Effect => ({
  account,
  muxed: {},
  type,
  details,
})

const ofMuxed = (account: xdr.MuxedAccount, type: string, details: Record<string, unknown> = {}): Effect => ({
  account: baseOf(account),
  muxed: muxedFields('account', account),
  type,
  details,
})

const money = (asset: string, amount: bigint) => ({ ...assetFields(asset), amount: formatAmount(amount) })

function effectsOf(operation: DecodedOperation): Effect[] {
  const { body, source, account } = operation
  switch (body.type) {
    case 'createAccount': {
      const created = accountOf(body.createAccountOp.destination)
      const { startingBalance } = body.createAccountOp
      return [
        of(created, 'account_created', { starting_balance: formatAmount(startingBalance) }),
        ofMuxed(source, 'account_debited', money('native', startingBalance)),
        of(created, 'signer_created', { weight: 1, public_key: created, key: '' }),
      ]
    }
    case 'payment': {
      const { destination, asset, amount } = body.paymentOp
      const moved = money(assetOf(asset), amount)
      return [ofMuxed(destination, 'account_credited', moved), ofMuxed(source, 'account_debited', moved)]
    }
    case 'pathPaymentStrictReceive': {
      const { destination, destAsset, sendAsset } = body.pathPaymentStrictReceiveOp
      return pathEffects(operation, destination, assetOf(destAsset), assetOf(sendAsset))
    }
    case 'pathPaymentStrictSend': {
      const { destination, destAsset, sendAsset } = body.pathPaymentStrictSendOp
      return pathEffects(operation, destination, assetOf(destAsset), assetOf(sendAsset))
    }
    case 'accountMerge': {
      const moved = money('native', mergedBalance(operation))
      return [
        ofMuxed(source, 'account_debited', moved),
        ofMuxed(body.destination, 'account_credited', moved),
        ofMuxed(source, 'account_removed'),
      ]
    }
    case 'createClaimableBalance': {
      const { asset, amount, claimants } = body.createClaimableBalanceOp
      const balance = {
        balance_id: createdBalance(operation),
        amount: formatAmount(amount),
        asset: assetOf(asset),
      }
      return [
        ofMuxed(source, 'claimable_balance_created', balance),
        ...claimants.map(({ v0 }) =>
          of(accountOf(v0.destination), 'claimable_balance_claimant_created', {
            ...balance,
            predicate: predicateOf(v0.predicate),
          }),
        ),
        ofMuxed(source, 'account_debited', money(assetOf(asset), amount)),
      ]
    }
    case 'claimClaimableBalance': {
      const claimed = claimedBalance(operation)
      if (!claimed) return []
      const balance_id = body.claimClaimableBalanceOp.balanceId.toXdr('hex')
      const balance = { balance_id, amount: formatAmount(claimed.amount), asset: assetOf(claimed.asset) }
      const credited = money(assetOf(claimed.asset), claimed.amount)
      return [
        ofMuxed(source, 'claimable_balance_claimed', balance),
        ofMuxed(source, 'account_credited', credited),
      ]
    }
    case 'clawback': {
      const moved = money(assetOf(body.clawbackOp.asset), body.clawbackOp.amount)
      return [
        ofMuxed(source, 'account_credited', moved),
        ofMuxed(body.clawbackOp.from, 'account_debited', moved),
      ]
    }
    case 'invokeHostFunction':
      return balanceChanges(operation).flatMap(({ from, to, asset, amount }) => [
        ...(from ? [of(from, 'account_debited', money(asset, amount))] : []),
        ...(to ? [of(to, 'account_credited', money(asset, amount))] : []),
      ])
    case 'manageSellOffer':
    case 'manageBuyOffer':
      return tradeEffects(operation)
    case 'changeTrust': {
      const type = changeKind(operation, 'trustline')
      return type
        ? [
            of(account, `trustline_${type}`, {
              ...assetFields(lineAsset(body.changeTrustOp.line) ?? 'native'),
              limit: formatAmount(body.changeTrustOp.limit),
            }),
          ]
        : []
    }
    case 'manageData': {
      const type = changeKind(operation, 'data')
      const value =
        body.manageDataOp.dataValue && Buffer.from(body.manageDataOp.dataValue.value).toString('base64')
      return type
        ? [
            of(account, `data_${type}`, {
              name: body.manageDataOp.dataName.toString(),
              ...(value ? { value } : {}),
            }),
          ]
        : []
    }
    case 'bumpSequence':
      return operation.changes.length > 0
        ? [of(account, 'sequence_bumped', { new_seq: String(body.bumpSequenceOp.bumpTo) })]
        : []
    case 'setTrustLineFlags': {
      const { asset, trustor } = body.setTrustLineFlagsOp
      return [
        of(account, 'trustline_flags_updated', {
          ...assetFields(assetOf(asset)),
          trustor: accountOf(trustor),
        }),
      ]
    }
    case 'setOptions':
      return optionEffects(account, body.setOptionsOp)
    default:
      return []
  }
}

function pathEffects(
  operation: DecodedOperation,
  destination: xdr.MuxedAccount,
  destAsset: string,
  sendAsset: string,
): Effect[] {
  return [
    ofMuxed(destination, 'account_credited', money(destAsset, receivedAmount(operation))),
    ofMuxed(operation.source, 'account_debited', money(sendAsset, sentAmount(operation))),
    ...tradeEffects(operation),
  ]
}

/** Each trade twice: for its taker and for its maker. */
function tradeEffects(operation: DecodedOperation): Effect[] {
  return atomsOf(operation).flatMap((atom) => {
    const seller = accountOf(atom.sellerId)
    const [sold, bought] = [formatAmount(atom.amountSold), formatAmount(atom.amountBought)]
    const side = (other: string, gives: [xdr.Asset, string], gets: [xdr.Asset, string]) => ({
      seller: other,
      offer_id: String(atom.offerId),
      sold_amount: gives[1],
      ...assetFields(assetOf(gives[0]), 'sold_'),
      bought_amount: gets[1],
      ...assetFields(assetOf(gets[0]), 'bought_'),
    })
    return [
      ofMuxed(operation.source, 'trade', side(seller, [atom.assetBought, bought], [atom.assetSold, sold])),
      of(seller, 'trade', side(operation.account, [atom.assetSold, sold], [atom.assetBought, bought])),
    ]
  })
}

function claimedBy({ result }: DecodedOperation) {
  if (result?.type !== 'opInner') return []
  const value = result.tr.value
  if (value.type === 'pathPaymentStrictReceiveSuccess' || value.type === 'pathPaymentStrictSendSuccess')
    return value.success.offers
  return value.type === 'manageSellOfferSuccess' || value.type === 'manageBuyOfferSuccess'
    ? value.success.offersClaimed
    : []
}

function atomsOf(operation: DecodedOperation): xdr.ClaimOfferAtom[] {
  return claimedBy(operation).flatMap((atom) =>
    atom.type === 'claimAtomTypeOrderBook' ? [atom.orderBook] : [],
  )
}

function mergedBalance({ result }: DecodedOperation): bigint {
  const value = result?.type === 'opInner' ? result.tr.value : null
  return value?.type === 'accountMergeSuccess' ? value.sourceAccountBalance : 0n
}

function createdBalance({ result }: DecodedOperation): string {
  const value = result?.type === 'opInner' ? result.tr.value : null
  return value?.type === 'createClaimableBalanceSuccess' ? value.balanceId.toXdr('hex') : ''
}

/** The claimed amount is only in the state before. */
function claimedBalance({ changes }: DecodedOperation): xdr.ClaimableBalanceEntry | null {
  for (const change of changes) {
    if (change.type === 'ledgerEntryState' && change.state.data.type === 'claimableBalance')
      return change.state.data.claimableBalance
  }
  return null
}

function changeKind(
  { changes }: DecodedOperation,
  type: 'trustline' | 'data',
): 'created' | 'updated' | 'removed' | null {
  for (const change of changes) {
    if (change.type === 'ledgerEntryCreated' && change.created.data.type === type) return 'created'
    if (change.type === 'ledgerEntryUpdated' && change.updated.data.type === type) return 'updated'
    if (change.type === 'ledgerEntryRemoved' && change.removed.type === type) return 'removed'
  }
  return null
}

function optionEffects(account: string, op: xdr.SetOptionsOp): Effect[] {
  const thresholds = {
    low_threshold: op.lowThreshold,
    med_threshold: op.medThreshold,
    high_threshold: op.highThreshold,
  }
  const given = Object.entries(thresholds).filter(([, value]) => value !== null)
  const signer = op.signer
  return [
    ...(op.homeDomain === null
      ? []
      : [of(account, 'account_home_domain_updated', { home_domain: op.homeDomain.toString() })]),
    ...(given.length > 0 ? [of(account, 'account_thresholds_updated', Object.fromEntries(given))] : []),
    ...(op.setFlags || op.clearFlags ? [of(account, 'account_flags_updated')] : []),
    ...(signer
      ? [
          of(account, signer.weight ? 'signer_created' : 'signer_removed', {
            weight: signer.weight,
            key: SignerKey.encodeSignerKey(signer.key),
          }),
        ]
      : []),
  ]
}
