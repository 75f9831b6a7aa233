import { randomBytes } from 'node:crypto'
import { sealAccount } from '../../src/payouts/sealedAccount.ts'
import type { Queryable } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { proveDestination } from './madePayout.ts'
import { appKey } from './template.ts'

type To = { chain: string; address: string } | 'bank'

/** A destination that may be paid at once. @returns its id */
export async function makeDestination(db: Queryable, businessId: string, to: To): Promise<string> {
  const id = newId()
  const networkId = 'bank'
  const sealed = () => sealAccount(new Secret(appKey), { id, businessId, networkId }, { number: new Secret('0123456789'), holder: 'Ada Stores' })
  const bank = to === 'bank' ? [networkId, 'A Bank', 'NG', 'NGN', sealed()] : [null, null, null, null, null]
  const wallet = to === 'bank' ? [null, null] : [to.chain, to.address]
  await db.query(
    `insert into payout_destinations (id, business_id, kind, fingerprint, network_id, bank_name, country, currency, sealed_account, chain, address, usable_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, date_trunc('milliseconds', now()))`,
    [id, businessId, to === 'bank' ? 'bank' : 'wallet', randomBytes(32), ...bank, ...wallet],
  )
  await proveDestination(db, id)
  return id
}

/** Switches autopayout of USDC on ethereum on, to a destination that is made for it. */
export async function makeAutopayout(db: Queryable, businessId: string, to: To): Promise<void> {
  await db.query("insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)", [
    businessId,
    await makeDestination(db, businessId, to),
  ])
}
