import type { AddressCodec, Family } from '../chains/chain.ts'
import type { Db } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/**
 * Watches an account of the platform that deposit addresses share, from now on: money that comes to it and names no deposit is
 * found, and waits in the account `suspense`. Harmless to repeat.
 */
export async function watchAccount(ctx: { db: Db; codec: AddressCodec }, family: Family, account: string): Promise<void> {
  const id = newId()
  await ctx.db.query(
    `insert into watches (id, family, chain, address, business_id, purpose, subject_id) values ($1, $2, null, $3, null, 'suspense', $1)
     on conflict (family, address) where purpose = 'suspense' do nothing`,
    [id, family, Buffer.from(ctx.codec.bytes(account))],
  )
}
