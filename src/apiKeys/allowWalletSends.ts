import { accountOf, recordAudit } from '../audit/recordAudit.ts'
import { sponsorKey } from '../members/sponsors.ts'
import { invalidBody } from '../platform/errors.ts'
import { lockedKey, maySend, notActive, walletsSend } from './changeKey.ts'
import type { KeysContext } from './createKey.ts'
import { type KeyManager, requireRoleFor } from './limits.ts'
import type { ApiKey } from './model.ts'
import { stateOf } from './presentKey.ts'

/**
 * Sets whether a key may send from stored wallets; this also confirms a key that sent before sending needed a permission. Its other permissions stay.
 * Repeating it changes nothing.
 * @throws ApiError 400 for a read-only key; 403 `insufficient_role`; 404; 409 `key_not_active`
 */
export async function allowWalletSends(
  ctx: KeysContext,
  { actor, role }: KeyManager,
  businessId: string,
  id: string,
  allowed: boolean,
): Promise<ApiKey> {
  return lockedKey(ctx, businessId, id, async (key, tx) => {
    requireRoleFor(role, [walletsSend], ctx.knownPermissions)
    if (stateOf(key) !== 'active') throw notActive(key)
    if (allowed && key.scope === 'read') throw invalidBody({ field: 'allowed', message: 'needs a key with the scope write' })
    const before = maySend(key)
    if (before === allowed && key.sentFromWalletsAt === null) return key
    const changed = (list: readonly string[]) => [...list.filter((each) => each !== walletsSend), ...(allowed ? [walletsSend] : [])].toSorted()
    const held = key.permissions === null ? { writePermissions: changed(key.writePermissions) } : { permissions: changed(key.permissions) }
    await key.update(
      { ...held, ...(allowed && !before && { sendsAllowedBy: accountOf(actor) }), sentFromWalletsAt: null },
      { transaction: tx.transaction },
    )
    if (allowed) await sponsorKey(tx, key.rootId, accountOf(actor))
    const action = allowed ? 'key.wallet_sends_allowed' : 'key.wallet_sends_refused'
    await recordAudit(tx, actor, { businessId, action, target: id, before: { allowed: before }, after: { allowed } })
    return key
  })
}
