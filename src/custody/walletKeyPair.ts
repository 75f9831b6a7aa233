import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'

export interface WalletPublicKey {
  id: string
  /** 32 bytes, X25519. */
  publicKey: Buffer
}

/**
 * The key that new wallets are sealed to. In the transaction that stores the wallet, the key is locked until
 * that ends.
 * @throws ApiError 503 `wallet_key_missing` before the treasury's first start
 */
export async function currentWalletKey(db: Queryable): Promise<WalletPublicKey> {
  // If the key is rolled during the first read, the second finds the new one.
  const key = (await readCurrent(db)) ?? (await readCurrent(db))
  if (!key)
    throw new ApiError(
      503,
      'wallet_key_missing',
      'No wallet can be stored yet: the treasury has not made its key',
      { retryAfterSeconds: 2 },
    )
  return key
}

async function readCurrent(db: Queryable): Promise<WalletPublicKey | undefined> {
  const [row] = await db.query<WalletPublicKey>(
    'select id, public_key as "publicKey" from wallet_keys where retired_at is null for key share',
  )
  return row
}
