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
  const accountOf = (text: string) => addressCodec(family).account?.(text) ?? text
  const account = accountOf(address)
  const [row] = await db.query<{ isOwn: boolean; anyDeposit: string | null }>(
    `select exists (select 1 from deposit_addresses where family = $1 and address = $2)
       or exists (select 1 from treasury_addresses where family = $1 and address in ($2, $3)) as "isOwn",
       (select address from deposit_addresses where family = $1 order by index limit 1) as "anyDeposit"`,
    [family, address, account],
  )
  const sharesAccount =
    row?.anyDeposit != null &&
    addressCodec(family).account !== undefined &&
    accountOf(row.anyDeposit) === account
  if (!row?.isOwn && !sharesAccount) return
  const message = 'is an address of this platform'
  throw new ApiError(422, 'own_address', `${field}: ${message}`, { fields: [{ field, message }] })
}
