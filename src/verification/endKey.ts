import type { Environment } from '../apiKeys/form.ts'
import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { waitForTransactions } from '../platform/database/waitForTransactions.ts'
import { ApiError } from '../platform/errors.ts'
import { type NewKey, storeVerificationKey } from './createKey.ts'
import { readVerificationKey } from './listKeys.ts'
import type { VerificationKey } from './model.ts'
import { isActive } from './presentKey.ts'

/**
 * Creates a key of the same kind; the old one stays valid for the overlap.
 * @throws ApiError 404; 409 `key_not_active`, `key_replaced` when it was already rotated
 */
export async function rotateVerificationKey(
  ctx: { db: Db; environment: Environment },
  actor: Actor,
  businessId: string,
  id: string,
  overlapSeconds: number,
): Promise<NewKey> {
  const made = await ctx.db.tx(async (tx) => {
    const old = await lockedKey(tx, businessId, id)
    if (!isActive(old)) throw new ApiError(409, 'key_not_active', 'This key has ended; make a new one')
    if (old.replacedBy) throw new ApiError(409, 'key_replaced', 'This key was already rotated')
    const next = await storeVerificationKey(tx, ctx.environment, businessId, accountOf(actor), old)
    await tx.query(
      "update verification_keys set replaced_by = $2, expires_at = now() + $3 * interval '1 second' where id = $1",
      [id, next.key.id, overlapSeconds],
    )
    const after = { replacedBy: next.key.id, prefix: next.key.prefix, overlapSeconds }
    await recordAudit(tx, actor, { businessId, action: 'verification_key.rotated', target: id, after })
    return next
  })
  await waitForTransactions(ctx.db, 'verification_keys', id)
  return made
}

/**
 * Revokes a key permanently. Repeating it changes nothing. Running requests have ended when this returns.
 * @throws ApiError 404
 */
export async function revokeVerificationKey(
  ctx: { db: Db },
  actor: Actor,
  businessId: string,
  id: string,
): Promise<VerificationKey> {
  const revoked = await ctx.db.tx(async (tx) => {
    const key = await lockedKey(tx, businessId, id)
    if (key.revokedAt) return key
    await tx.query('update verification_keys set revoked_at = now() where id = $1', [id])
    const { name, kind, prefix } = key
    await recordAudit(tx, actor, {
      businessId,
      action: 'verification_key.revoked',
      target: id,
      before: { name, kind, prefix },
    })
    return readVerificationKey(tx, businessId, id)
  })
  await waitForTransactions(ctx.db, 'verification_keys', id)
  return revoked
}

/** @throws ApiError 404 */
export async function lockedKey(tx: Tx, businessId: string, id: string): Promise<VerificationKey> {
  const { id: known } = await readVerificationKey(tx, businessId, id)
  await tx.query('select 1 from verification_keys where id = $1 for no key update', [known])
  return readVerificationKey(tx, businessId, id)
}
