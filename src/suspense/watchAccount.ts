import type { AddressCodec, Family } from '../chains/chain.ts'
import type { Db } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

/** Watches a platform account that deposit addresses share. Payments to it that name no deposit are held in the account `suspense`. Idempotent. */
export async function watchAccount(ctx: { db: Db; codec: AddressCodec }, family: Family, account: string): Promise<void> {
  const id = newId()
  await ctx.db.query(
    `insert into watches (id, family, chain, address, business_id, purpose, subject_id) values ($1, $2, null, $3, null, 'suspense', $1)
     on conflict (family, address) where purpose = 'suspense' do nothing`,
    [id, family, Buffer.from(ctx.codec.bytes(account))],
  )
}
