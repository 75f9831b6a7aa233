import { xdr } from '@stellar/stellar-sdk'
import { entryKey } from './entries.ts'
import { accountOf, assetOf, hex } from './values.ts'

/** The entry's key in the state for a protocol key; null for kinds that this ledger lacks. */
export function entryOfKey(key: xdr.LedgerKey): string | null {
  switch (key.type) {
    case 'account':
      return entryKey.account(accountOf(key.account.accountId))
    case 'trustline': {
      const { accountId, asset } = key.trustLine
      if (asset.type === 'assetTypePoolShare') return null
      return entryKey.trustline(accountOf(accountId), assetOf(xdr.Asset.fromXdr(asset.toXdr())))
    }
    case 'offer':
      return entryKey.offer(accountOf(key.offer.sellerId), key.offer.offerId)
    case 'data':
      return entryKey.data(accountOf(key.data.accountId), key.data.dataName.toString())
    case 'claimableBalance':
      return entryKey.claimable(hex(key.claimableBalance.balanceId.v0.value))
    default:
      return null
  }
}
