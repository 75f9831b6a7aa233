import { accountOf, recordAudit } from '../audit/recordAudit.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { type Environment, generateApiKey } from './form.ts'
import {
  checkedLimits,
  type KeyManager,
  type KnownPermissions,
  requireRoleFor,
  type WantedLimits,
} from './limits.ts'
import type { ApiKey, Scope } from './model.ts'
import { limitsOf } from './presentKey.ts'
import { storeKey } from './storeKey.ts'

export interface KeysContext {
  db: ModelDb
  environment: Environment
  knownPermissions: KnownPermissions
}

/**
 * Creates a key.
 * @returns the row and the key itself: the only copy
 * @throws ApiError 400 naming every limit that is wrong; 403 `insufficient_role`
 */
export async function createKey(
  ctx: KeysContext,
  { actor, role }: KeyManager,
  businessId: string,
  wanted: { name: string; scope: Scope } & WantedLimits,
): Promise<{ key: ApiKey; secret: Secret }> {
  const limits = checkedLimits(wanted, wanted.scope, ctx.knownPermissions)
  requireRoleFor(role, limits.permissions, ctx.knownPermissions)
  const secret = generateApiKey(ctx.environment)
  const key = await ctx.db.tx(async (tx) => {
    const stored = await storeKey(
      ctx,
      {
        businessId,
        name: wanted.name.trim(),
        scope: wanted.scope,
        createdBy: accountOf(actor),
        ...limits,
        key: secret,
      },
      tx,
    )
    const after = { name: stored.name, prefix: stored.prefix, scope: stored.scope, ...limitsOf(stored) }
    await recordAudit(tx, actor, { businessId, action: 'key.created', target: stored.id, after })
    // Reloaded before the commit: a failure after it would lose the secret.
    return stored.reload({ transaction: tx.transaction })
  })
  return { key, secret }
}
