import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'

/**
 * Refuses deposit addresses and treasuries of this deployment: a payout to one would arrive as a payment of
 * another business, or in suspense. On Stellar that holds for every address of the account that takes
 * deposits, with any id.
 * @param address normal form
 * @param field of the request that names it
 * @throws ApiError 422 `own_address` naming `field`
 */
export async function refuseOwnAddress(
  db: Queryable,
  family: Family,
  address: string,
  field = 'address',
): Promise<void> {
  if ((await ownAddresses(db, family, [address])).has(address)) throw ownAddress(field)
}

/** Those of these addresses (normal form) that `refuseOwnAddress` refuses. */
export async function ownAddresses(
  db: Queryable,
  family: Family,
  addresses: readonly string[],
): Promise<Set<string>> {
  const accountOf = (text: string) => addressCodec(family).account?.(text) ?? text
  const rows = await db.query<{ address: string; isOwn: boolean; anyDeposit: string | null }>(
    `select address, exists (select 1 from deposit_addresses d where d.family = $1 and d.address = a.address)
       or exists (select 1 from treasury_addresses t where t.family = $1 and t.address in (a.address, a.account)) as "isOwn",
       (select d.address from deposit_addresses d where d.family = $1 order by d.index limit 1) as "anyDeposit"
     from unnest($2::text[], $3::text[]) as a(address, account)`,
    [family, addresses, addresses.map(accountOf)],
  )
  const sharesAccount = (address: string, anyDeposit: string | null) =>
    anyDeposit !== null &&
    addressCodec(family).account !== undefined &&
    accountOf(anyDeposit) === accountOf(address)
  return new Set(
    rows.flatMap(({ address, isOwn, anyDeposit }) =>
      isOwn || sharesAccount(address, anyDeposit) ? [address] : [],
    ),
  )
}

export function ownAddress(field: string): ApiError {
  const message = 'is an address of this platform'
  return new ApiError(422, 'own_address', `${field}: ${message}`, { fields: [{ field, message }] })
}
