import type { Queryable } from '../platform/database/db.ts'

export interface UnconfirmedKey {
  business: string
  key: string
  prefix: string
  name: string
  sentAt: Date
  /** Email addresses of the owners who can confirm it. */
  owners: string[]
}

/**
 * Keys of all businesses that sent from stored wallets before that needed a permission, and are refused until
 * an owner decides.
 */
export const unconfirmedKeys = (db: Queryable): Promise<UnconfirmedKey[]> =>
  db.query<UnconfirmedKey>(
    `select b.name as business, k.id as key, k.prefix, k.name, k.sent_from_wallets_at as "sentAt",
       array(select a.email from members m join accounts a on a.id = m.account_id
             where m.business_id = b.id and m.role = 'owner' order by a.email) as owners
     from api_keys k join businesses b on b.id = k.business_id
     where k.sent_from_wallets_at is not null and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
     order by b.name, k.sent_from_wallets_at desc`,
  )
