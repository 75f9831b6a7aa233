import type { Approval } from '../accounts/models.ts'
import type { Db } from '../platform/db.ts'
import { hashOfKey } from './form.ts'
import type { Scope } from './model.ts'

/** What a request with a key is judged by. */
export interface KeyInUse {
  id: string
  name: string
  prefix: string
  businessId: string
  businessName: string
  approval: Approval
  scope: Scope
  allowedAddresses: string[] | null
  requestsPerMinute: number | null
  permissions: string[] | null
  expiresAt: Date | null
}

/** The key of a text that is well-formed; null when it is unknown, revoked or expired. Never cached: a revoked key ends with its next use. */
export async function findKey(ctx: { db: Db }, text: string): Promise<KeyInUse | null> {
  const rows = await ctx.db.query<KeyInUse>(
    `select id, name, prefix, business_id as "businessId", business_name as "businessName", approval, scope,
            allowed_addresses as "allowedAddresses", requests_per_minute as "requestsPerMinute", permissions, expires_at as "expiresAt"
     from api_key_in_use($1)`,
    [hashOfKey(text)],
  )
  return rows[0] ?? null
}

/** The hashes of keys that are not revoked, of ids from `firstId` on. */
export const readKeyHashes = async (ctx: { db: Db }, firstId: string): Promise<Buffer[]> =>
  (await ctx.db.query<{ hash: Buffer }>('select hash from api_keys where id >= $1 and revoked_at is null', [firstId])).map(({ hash }) => hash)
