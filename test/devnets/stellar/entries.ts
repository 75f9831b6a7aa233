import { SignerKey, xdr } from '@stellar/stellar-sdk'
import { type AssetName, accountKey, assetKey, sdkAsset } from './values.ts'

/**
 * Common to all ledger entries: the ledger of the last write, and the account that pays the reserve in place
 * of the owner (CAP-33).
 */
interface Common {
  modified: number
  sponsor: string | null
}

export interface AccountEntry extends Common {
  kind: 'account'
  id: string
  balance: bigint
  sequence: bigint
  subEntries: number
  flags: number
  homeDomain: string
  /** Master key's weight, then the low, medium and high thresholds. */
  thresholds: readonly [number, number, number, number]
  /** By the signer's strkey (`G…` or `X…`). */
  signers: readonly { key: string; weight: number }[]
  buying: bigint
  selling: bigint
  sponsored: number
  sponsoring: number
  /** Ledger and time of the last sequence change (CAP-21); null before the first. */
  sequenceSet: { ledger: number; time: number } | null
}

export interface TrustLine extends Common {
  kind: 'trustline'
  account: string
  asset: AssetName
  balance: bigint
  limit: bigint
  flags: number
  buying: bigint
  selling: bigint
}

export interface Offer extends Common {
  kind: 'offer'
  seller: string
  id: bigint
  selling: AssetName
  buying: AssetName
  amount: bigint
  /** Price of one unit of `selling` in `buying`: n / d. */
  n: number
  d: number
}

export interface DataItem extends Common {
  kind: 'data'
  account: string
  name: string
  /** base64 */
  value: string
}

export interface ClaimableBalance extends Common {
  kind: 'claimable'
  /** sha256 of the balance's preimage, hex. */
  id: string
  asset: AssetName
  amount: bigint
  clawback: boolean
  /** The predicate as base64 XDR. */
  claimants: readonly { destination: string; predicate: string }[]
}

export type Entry = AccountEntry | TrustLine | Offer | DataItem | ClaimableBalance

/**
 * Flags of accounts and trust lines: Stellar docs, Asset design, "Controlling access to an asset with flags".
 */
export const flags = {
  account: { authRequired: 1, authRevocable: 2, authImmutable: 4, authClawback: 8 },
  line: { authorized: 1, maintainLiabilities: 2, clawback: 4 },
} as const

export const entryKey = {
  account: (id: string) => `account/${id}`,
  trustline: (account: string, asset: AssetName) => `trustline/${account}/${asset}`,
  offer: (seller: string, id: bigint) => `offer/${seller}/${id}`,
  data: (account: string, name: string) => `data/${account}/${name}`,
  claimable: (id: string) => `claimable/${id}`,
}

/** The entry's key in the state. */
export function keyOf(entry: Entry): string {
  switch (entry.kind) {
    case 'account':
      return entryKey.account(entry.id)
    case 'trustline':
      return entryKey.trustline(entry.account, entry.asset)
    case 'offer':
      return entryKey.offer(entry.seller, entry.id)
    case 'data':
      return entryKey.data(entry.account, entry.name)
    case 'claimable':
      return entryKey.claimable(entry.id)
  }
}

const balanceId = (id: string) => xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.from(id, 'hex'))

/** The entry's key in the protocol. */
export function ledgerKeyOf(entry: Entry): xdr.LedgerKey {
  switch (entry.kind) {
    case 'account':
      return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: accountKey(entry.id) }))
    case 'trustline':
      return xdr.LedgerKey.trustline(
        new xdr.LedgerKeyTrustLine({
          accountId: accountKey(entry.account),
          asset: sdkAsset(entry.asset).toTrustLineXdrObject(),
        }),
      )
    case 'offer':
      return xdr.LedgerKey.offer(
        new xdr.LedgerKeyOffer({ sellerId: accountKey(entry.seller), offerId: entry.id }),
      )
    case 'data':
      return xdr.LedgerKey.data(
        new xdr.LedgerKeyData({ accountId: accountKey(entry.account), dataName: entry.name }),
      )
    case 'claimable':
      return xdr.LedgerKey.claimableBalance(
        new xdr.LedgerKeyClaimableBalance({ balanceId: balanceId(entry.id) }),
      )
  }
}

/** The entry in the protocol's format. */
export function ledgerEntryOf(entry: Entry): xdr.LedgerEntry {
  const ext = entry.sponsor
    ? xdr.LedgerEntryExt.v1(
        new xdr.LedgerEntryExtensionV1({
          sponsoringId: accountKey(entry.sponsor),
          ext: xdr.LedgerEntryExtensionV1Ext.v0(),
        }),
      )
    : xdr.LedgerEntryExt.v0()
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: entry.modified, data: dataOf(entry), ext })
}

function dataOf(entry: Entry): xdr.LedgerEntryData {
  switch (entry.kind) {
    case 'account':
      return xdr.LedgerEntryData.account(accountData(entry))
    case 'trustline':
      return xdr.LedgerEntryData.trustline(
        new xdr.TrustLineEntry({
          accountId: accountKey(entry.account),
          asset: sdkAsset(entry.asset).toTrustLineXdrObject(),
          balance: entry.balance,
          limit: entry.limit,
          flags: entry.flags,
          ext:
            entry.buying || entry.selling
              ? xdr.TrustLineEntryExt.v1(
                  new xdr.TrustLineEntryV1({
                    liabilities: new xdr.Liabilities({ buying: entry.buying, selling: entry.selling }),
                    ext: xdr.TrustLineEntryV1Ext.v0(),
                  }),
                )
              : xdr.TrustLineEntryExt.v0(),
        }),
      )
    case 'offer':
      return xdr.LedgerEntryData.offer(offerData(entry))
    case 'data':
      return xdr.LedgerEntryData.data(
        new xdr.DataEntry({
          accountId: accountKey(entry.account),
          dataName: entry.name,
          dataValue: Buffer.from(entry.value, 'base64'),
          ext: xdr.DataEntryExt.v0(),
        }),
      )
    case 'claimable':
      return xdr.LedgerEntryData.claimableBalance(
        new xdr.ClaimableBalanceEntry({
          balanceId: balanceId(entry.id),
          asset: assetKey(entry.asset),
          amount: entry.amount,
          claimants: entry.claimants.map(({ destination, predicate }) =>
            xdr.Claimant.claimantTypeV0(
              new xdr.ClaimantV0({
                destination: accountKey(destination),
                predicate: xdr.ClaimPredicate.fromXdr(predicate, 'base64'),
              }),
            ),
          ),
          ext: entry.clawback
            ? xdr.ClaimableBalanceEntryExt.v1(
                new xdr.ClaimableBalanceEntryExtensionV1({
                  ext: xdr.ClaimableBalanceEntryExtensionV1Ext.v0(),
                  flags: 1,
                }),
              )
            : xdr.ClaimableBalanceEntryExt.v0(),
        }),
      )
  }
}

/** Also used in the results of offer operations. */
export function offerData(offer: Offer): xdr.OfferEntry {
  return new xdr.OfferEntry({
    sellerId: accountKey(offer.seller),
    offerId: offer.id,
    selling: assetKey(offer.selling),
    buying: assetKey(offer.buying),
    amount: offer.amount,
    price: new xdr.Price({ n: offer.n, d: offer.d }),
    flags: 0,
    ext: xdr.OfferEntryExt.v0(),
  })
}

function accountData(entry: AccountEntry): xdr.AccountEntry {
  return new xdr.AccountEntry({
    accountId: accountKey(entry.id),
    balance: entry.balance,
    seqNum: entry.sequence,
    numSubEntries: entry.subEntries,
    inflationDest: null,
    flags: entry.flags,
    homeDomain: entry.homeDomain,
    thresholds: Uint8Array.from(entry.thresholds),
    signers: entry.signers.map(
      ({ key, weight }) => new xdr.Signer({ key: SignerKey.decodeAddress(key), weight }),
    ),
    ext: accountExtension(entry),
  })
}

/** An extension is present only if a later one is, or if it has a value. */
function accountExtension(entry: AccountEntry): xdr.AccountEntryExt {
  const { buying, selling, sponsored, sponsoring, sequenceSet } = entry
  if (!sequenceSet && !sponsored && !sponsoring && !buying && !selling) return xdr.AccountEntryExt.v0()
  const third = sequenceSet
    ? xdr.AccountEntryExtensionV2Ext.v3(
        new xdr.AccountEntryExtensionV3({
          ext: xdr.ExtensionPoint.v0(),
          seqLedger: sequenceSet.ledger,
          seqTime: BigInt(sequenceSet.time),
        }),
      )
    : xdr.AccountEntryExtensionV2Ext.v0()
  const second = new xdr.AccountEntryExtensionV2({
    numSponsored: sponsored,
    numSponsoring: sponsoring,
    signerSponsoringIDs: entry.signers.map(() => null),
    ext: third,
  })
  return xdr.AccountEntryExt.v1(
    new xdr.AccountEntryExtensionV1({
      liabilities: new xdr.Liabilities({ buying, selling }),
      ext: xdr.AccountEntryExtensionV1Ext.v2(second),
    }),
  )
}
