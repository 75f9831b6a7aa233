import type { Family } from '../chains/chain.ts'
import type { WalletKey } from '../chains/wallet.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'

/** Addresses of the platform, derived from the seed: no row of the database has a part in them. */
export interface PlatformAddresses {
  treasury(family: Family): string
  /** Holds the money of pooled stakes. */
  staking(family: Family): string
  /** @param index of `deposit_addresses` */
  deposit(family: Family, index: number): string
}

/** The same with their keys, in the chain's own form. In the treasury alone. */
export interface PlatformKeys extends PlatformAddresses {
  treasuryKey(family: Family): Secret
  stakingKey(family: Family): Secret
  /**
   * The key of a deposit address; null if the seed does not have it. The row has the index to try, and is
   * not trusted.
   */
  depositKey(db: Queryable, family: Family, address: string): Promise<Secret | null>
  /** The account of a burn on Solana. @param id of `bridge_event_accounts` */
  eventAccount(id: string): Pick<WalletKey, 'address' | 'privateKey'>
}

/** Checks if the seed has a deposit address. Does not trust its row. */
export async function isOwnDeposit(
  db: Queryable,
  addresses: PlatformAddresses,
  family: Family,
  address: string,
): Promise<boolean> {
  const index = await depositIndex(db, family, address)
  return index !== null && addresses.deposit(family, index) === address
}

/** The index that the pool has for an address, which only the seed can confirm; null if it has no index. */
export async function depositIndex(db: Queryable, family: Family, address: string): Promise<number | null> {
  const [row] = await db.query<{ index: string }>(
    'select index from deposit_addresses where family = $1 and address = $2',
    [family, address],
  )
  return row ? Number(row.index) : null
}
