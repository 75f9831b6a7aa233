import { xdr } from '@stellar/stellar-sdk'
import { type AccountEntry, type ClaimableBalance, flags, type Offer, type TrustLine } from './entries.ts'
import type { View } from './faces.ts'
import { predicateOf } from './horizonOperations.ts'
import { assetFields, formatAmount, isoTime } from './values.ts'

/* Accounts, claimable balances and offers as Horizon shows them: Stellar docs, Horizon, "Resources". */

export function accountRecord(view: View, account: AccountEntry, base: string): Record<string, unknown> {
  const own = `${base}/accounts/${account.id}`
  const many = (name: string) => ({ href: `${own}/${name}{?cursor,limit,order}`, templated: true })
  const entries = view.entries()
  const lines = entries.flatMap((entry) =>
    entry.kind === 'trustline' && entry.account === account.id ? [entry] : [],
  )
  const data = entries.flatMap((entry) =>
    entry.kind === 'data' && entry.account === account.id ? [[entry.name, entry.value] as const] : [],
  )
  const [master, low, medium, high] = account.thresholds
  const { authRequired, authRevocable, authImmutable, authClawback } = flags.account
  const modified = view.ledger(account.modified)
  return {
    _links: {
      self: { href: own },
      transactions: many('transactions'),
      operations: many('operations'),
      payments: many('payments'),
      effects: many('effects'),
      offers: many('offers'),
      trades: many('trades'),
      data: { href: `${own}/data/{key}`, templated: true },
    },
    id: account.id,
    account_id: account.id,
    sequence: String(account.sequence),
    ...(account.sequenceSet
      ? { sequence_ledger: account.sequenceSet.ledger, sequence_time: String(account.sequenceSet.time) }
      : {}),
    subentry_count: account.subEntries,
    ...(account.homeDomain ? { home_domain: account.homeDomain } : {}),
    last_modified_ledger: account.modified,
    last_modified_time: isoTime(modified?.closeTime ?? 0),
    thresholds: { low_threshold: low, med_threshold: medium, high_threshold: high },
    flags: {
      auth_required: (account.flags & authRequired) !== 0,
      auth_revocable: (account.flags & authRevocable) !== 0,
      auth_immutable: (account.flags & authImmutable) !== 0,
      auth_clawback_enabled: (account.flags & authClawback) !== 0,
    },
    balances: [
      ...lines.map(lineBalance),
      {
        balance: formatAmount(account.balance),
        buying_liabilities: formatAmount(account.buying),
        selling_liabilities: formatAmount(account.selling),
        asset_type: 'native',
      },
    ],
    signers: [
      ...account.signers.map(({ key, weight }) => ({
        weight,
        key,
        type: key.startsWith('X') ? 'sha256_hash' : 'ed25519_public_key',
      })),
      { weight: master, key: account.id, type: 'ed25519_public_key' },
    ],
    data: Object.fromEntries(data),
    num_sponsoring: account.sponsoring,
    num_sponsored: account.sponsored,
    ...(account.sponsor ? { sponsor: account.sponsor } : {}),
    paging_token: account.id,
  }
}

const lineBalance = (line: TrustLine) => ({
  balance: formatAmount(line.balance),
  limit: formatAmount(line.limit),
  buying_liabilities: formatAmount(line.buying),
  selling_liabilities: formatAmount(line.selling),
  ...(line.sponsor ? { sponsor: line.sponsor } : {}),
  last_modified_ledger: line.modified,
  is_authorized: (line.flags & flags.line.authorized) !== 0,
  is_authorized_to_maintain_liabilities:
    (line.flags & (flags.line.authorized | flags.line.maintainLiabilities)) !== 0,
  ...(line.flags & flags.line.clawback ? { is_clawback_enabled: true } : {}),
  ...assetFields(line.asset),
})

/** The id in Horizon's format: the XDR of a `ClaimableBalanceID`, which has its type before the hash. */
const balanceIdOf = (id: string): string => `00000000${id}`

export function claimableRecord(view: View, entry: ClaimableBalance, base: string): Record<string, unknown> {
  const id = balanceIdOf(entry.id)
  const own = `${base}/claimable_balances/${id}`
  return {
    _links: {
      self: { href: own },
      transactions: { href: `${own}/transactions{?cursor,limit,order}`, templated: true },
      operations: { href: `${own}/operations{?cursor,limit,order}`, templated: true },
    },
    id,
    asset: entry.asset,
    amount: formatAmount(entry.amount),
    ...(entry.sponsor ? { sponsor: entry.sponsor } : {}),
    last_modified_ledger: entry.modified,
    last_modified_time: isoTime(view.ledger(entry.modified)?.closeTime ?? 0),
    claimants: entry.claimants.map(({ destination, predicate }) => ({
      destination,
      predicate: predicateOf(xdr.ClaimPredicate.fromXdr(predicate, 'base64')),
    })),
    flags: { clawback_enabled: entry.clawback },
    paging_token: `${entry.modified}-${id}`,
  }
}

export const offerRecord = (offer: Offer, base: string): Record<string, unknown> => ({
  _links: {
    self: { href: `${base}/offers/${offer.id}` },
    offer_maker: { href: `${base}/accounts/${offer.seller}` },
  },
  id: String(offer.id),
  paging_token: String(offer.id),
  seller: offer.seller,
  selling: assetFields(offer.selling),
  buying: assetFields(offer.buying),
  amount: formatAmount(offer.amount),
  price_r: { n: offer.n, d: offer.d },
  price: (offer.n / offer.d).toFixed(7),
  last_modified_ledger: offer.modified,
  last_modified_time: null,
})
