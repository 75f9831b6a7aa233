import type { Family } from '../chains/chain.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { PlatformAddresses } from './platformAddresses.ts'

/**
 * Writes the treasury's addresses for the other processes. In the treasury alone, which derives them and
 * never reads them here.
 */
export async function publishTreasuries(
  db: Queryable,
  addresses: PlatformAddresses,
  families: readonly Family[],
): Promise<void> {
  await db.query(
    `insert into treasury_addresses (family, address) select * from unnest($1::text[], $2::text[])
     on conflict (family) do update set address = excluded.address, updated_at = now()`,
    [families, families.map((family) => addresses.treasury(family))],
  )
}

/** Null until the treasury has started. */
export async function treasuryAddress(db: Queryable, family: Family): Promise<string | null> {
  const [row] = await db.query<{ address: string }>(
    'select address from treasury_addresses where family = $1',
    [family],
  )
  return row?.address ?? null
}
