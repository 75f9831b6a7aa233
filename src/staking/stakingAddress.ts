import type { Family } from '../chains/chain.ts'
import type { PlatformAddresses } from '../custody/platformAddresses.ts'
import type { Queryable } from '../platform/database/db.ts'

/**
 * Writes the staking addresses for the other processes. In the treasury alone, which derives them and never
 * reads them here.
 */
export async function publishStakingAddresses(
  db: Queryable,
  addresses: PlatformAddresses,
  families: readonly Family[],
): Promise<void> {
  await db.query(
    `insert into staking_addresses (family, address) select * from unnest($1::text[], $2::text[])
     on conflict (family) do update set address = excluded.address, updated_at = now()`,
    [families, families.map((family) => addresses.staking(family))],
  )
}

/** Null until the treasury has started. */
export async function stakingAddress(db: Queryable, family: Family): Promise<string | null> {
  const [row] = await db.query<{ address: string }>(
    'select address from staking_addresses where family = $1',
    [family],
  )
  return row?.address ?? null
}
