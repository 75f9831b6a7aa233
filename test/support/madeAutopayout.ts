import { randomBytes } from 'node:crypto'
import type { Queryable } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'

/** Switches autopayout of USDC on ethereum on, to a destination that is made for it. */
export async function makeAutopayout(db: Queryable, businessId: string, to: { chain: string; address: string } | 'bank'): Promise<void> {
  const id = newId()
  const bank = to === 'bank' ? ['bank', 'A Bank', 'NG', 'NGN', randomBytes(8)] : [null, null, null, null, null]
  const wallet = to === 'bank' ? [null, null] : [to.chain, to.address]
  await db.query(
    `insert into payout_destinations (id, business_id, kind, fingerprint, network_id, bank_name, country, currency, sealed_account, chain, address, usable_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now())`,
    [id, businessId, to === 'bank' ? 'bank' : 'wallet', randomBytes(32), ...bank, ...wallet],
  )
  await db.query("insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)", [
    businessId,
    id,
  ])
}
