import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { lockedKey } from './endKey.ts'
import { readVerificationKey } from './listKeys.ts'
import type { VerificationKey } from './model.ts'
import { isActive } from './presentKey.ts'

/**
 * Replaces the web sites that may use a publishable key in a browser, from the next request on.
 * @throws ApiError 400 for a secret key; 404; 409 `key_not_active`
 */
export async function setKeyOrigins(
  ctx: { db: Db },
  actor: Actor,
  businessId: string,
  id: string,
  wanted: readonly string[],
): Promise<VerificationKey> {
  return ctx.db.tx(async (tx) => {
    const key = await lockedKey(tx, businessId, id)
    if (key.kind !== 'publishable')
      throw invalidBody({ field: 'origins', message: 'is only for publishable keys', code: 'not_possible' })
    if (!isActive(key)) throw new ApiError(409, 'key_not_active', 'This key has ended; make a new one')
    const origins = [...new Set(wanted)]
    await tx.query('update verification_keys set origins = $2 where id = $1', [key.id, origins])
    const [before, after] = [{ origins: key.origins }, { origins }]
    await recordAudit(tx, actor, {
      businessId,
      action: 'verification_key.origins_changed',
      target: key.id,
      before,
      after,
    })
    return readVerificationKey(tx, businessId, key.id)
  })
}
