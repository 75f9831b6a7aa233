import type { Approval } from '../members/businessApproval.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { hashOfKey } from './form.ts'
import type { Scope } from './model.ts'

/** A key's rights, as a request sees them. */
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
  /** Granted permissions of the scope `write`, where `permissions` is null. */
  writePermissions: string[]
  /** The first key of its rotations. */
  rootId: string
  /** Its last send from a stored wallet before that needed a permission; null once an owner has decided. */
  sentFromWalletsAt: Date | null
  /**
   * Until then it may name addresses of refunds without `refunds:address`; null: made later, or an owner has
   * decided.
   */
  refundAddressUntil: Date | null
  expiresAt: Date | null
}

/**
 * Finds a well-formed key; null when it is unknown, revoked or expired. Never cached: a revocation takes
 * effect with the next request.
 */
export async function findKey(ctx: { db: Db }, text: string): Promise<KeyInUse | null> {
  const rows = await ctx.db.query<KeyInUse>(keyInUse, [hashOfKey(text)])
  return rows[0] ?? null
}

const keyInUse = prepared(
  `select id, name, prefix, business_id as "businessId", business_name as "businessName", approval, scope,
            allowed_addresses as "allowedAddresses", requests_per_minute as "requestsPerMinute", permissions, expires_at as "expiresAt",
            write_permissions as "writePermissions", root_id as "rootId", sent_from_wallets_at as "sentFromWalletsAt",
            refund_address_until as "refundAddressUntil"
     from api_key_in_use($1)`,
)

/**
 * Reads and locks a key that was found before; its rights hold until the transaction ends. Revoking or
 * changing it waits for that (`waitForTransactions`).
 */
export async function keepKey(tx: Tx, id: string): Promise<KeyInUse | null> {
  const rows = await tx.query<KeyInUse>(keptKey, [id])
  return rows[0] ?? null
}

const keptKey = prepared(
  `select k.id, k.name, k.prefix, k.business_id as "businessId", b.name as "businessName", b.approval, k.scope,
            k.allowed_addresses as "allowedAddresses", k.requests_per_minute as "requestsPerMinute", k.permissions, k.expires_at as "expiresAt",
            k.write_permissions as "writePermissions", k.root_id as "rootId", k.sent_from_wallets_at as "sentFromWalletsAt",
            k.refund_address_until as "refundAddressUntil"
     from api_keys k join businesses b on b.id = k.business_id
     where k.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) for key share of k, b`,
)

/** Hashes of keys that are not revoked, with ids from `firstId` on. */
export const readKeyHashes = async (ctx: { db: Db }, firstId: string): Promise<Buffer[]> =>
  (
    await ctx.db.query<{ hash: Buffer }>('select hash from api_keys where id >= $1 and revoked_at is null', [
      firstId,
    ])
  ).map(({ hash }) => hash)
