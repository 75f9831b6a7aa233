import type { AddressCodec, Family } from '../chains/chain.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { insertWatches } from '../watches/insertWatches.ts'

/**
 * Watches an account of the platform: that which deposit addresses share, or the staking address. Payments to
 * it that nothing announces are held in the account `suspense`. Idempotent.
 */
export async function watchAccount(
  ctx: { db: Db; codec: AddressCodec },
  family: Family,
  account: string,
): Promise<void> {
  const id = newId()
  const bytes = ctx.codec.bytes(account)
  await insertWatches(
    ctx.db,
    { family, chain: null, businessId: null, purpose: 'suspense', ifAbsent: true },
    [{ id, subjectId: id, bytes }],
  )
}
