import type { Queryable } from '../platform/database/db.ts'
import { sealWallet } from './sealWallet.ts'
import { currentWalletKey } from './walletKeyPair.ts'
import type { SealedWallet, WalletOwner, WalletSecrets } from './walletSeal.ts'

/**
 * Seals a new wallet's secrets to the treasury's current key. In the transaction that stores the wallet, the
 * key is locked until that ends.
 * @throws ApiError 503 `wallet_key_missing` before the treasury's first start
 */
export async function sealNewWallet(
  db: Queryable,
  owner: WalletOwner,
  secrets: WalletSecrets,
): Promise<Pick<SealedWallet, 'keyId' | 'sealed'>> {
  const key = await currentWalletKey(db)
  return { keyId: key.id, sealed: await sealWallet(key.publicKey, owner, secrets) }
}
