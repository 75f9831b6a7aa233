import { accountOf, recordAudit } from '../audit/recordAudit.ts'
import { sponsorKey } from '../members/sponsors.ts'
import { invalidBody } from '../platform/errors.ts'
import { lockedKey, notActive, walletsSend } from './changeKey.ts'
import type { KeysContext } from './createKey.ts'
import { heldPermissions } from './heldPermissions.ts'
import { type KeyManager, requireRoleFor } from './limits.ts'
import type { ApiKey } from './model.ts'
import { stateOf } from './presentKey.ts'
import { refundsAddress } from './refundAddress.ts'

/** A permission that keys could do without before, and that an owner gives by name. */
interface Named {
  permission: string
  /** The column that shows that an owner has not decided about an older key. */
  undecided: 'sentFromWalletsAt' | 'refundAddressUntil'
  audit: string
}

export const namedPermissions = {
  walletSends: { permission: walletsSend, undecided: 'sentFromWalletsAt', audit: 'key.wallet_sends' },
  refundAddresses: {
    permission: refundsAddress,
    undecided: 'refundAddressUntil',
    audit: 'key.refund_addresses',
  },
} as const satisfies Record<string, Named>

/**
 * Sets whether a key has a permission that only owners give; this also decides about a key that did without
 * it before. Its other permissions stay. Repeating it changes nothing.
 * @throws ApiError 400 for a read-only key; 403 `insufficient_role`; 404; 409 `key_not_active`
 */
export async function allowPermission(
  ctx: KeysContext,
  { actor, role }: KeyManager,
  businessId: string,
  id: string,
  { permission, undecided, audit }: Named,
  allowed: boolean,
): Promise<ApiKey> {
  return lockedKey(ctx, businessId, id, async (key, tx) => {
    requireRoleFor(role, [permission], ctx.knownPermissions)
    if (stateOf(key) !== 'active') throw notActive(key)
    if (allowed && key.scope === 'read')
      throw invalidBody({
        field: 'allowed',
        message: 'needs a key with the scope write',
        code: 'not_possible',
      })
    const before = heldPermissions(key).includes(permission)
    if (before === allowed && key[undecided] === null) return key
    const changed = (list: readonly string[]) =>
      [...list.filter((each) => each !== permission), ...(allowed ? [permission] : [])].toSorted()
    const held =
      key.permissions === null
        ? { writePermissions: changed(key.writePermissions) }
        : { permissions: changed(key.permissions) }
    const isNewSender = permission === walletsSend && allowed && !before
    await key.update(
      { ...held, ...(isNewSender && { sendsAllowedBy: accountOf(actor) }), [undecided]: null },
      { transaction: tx.transaction },
    )
    if (allowed) await sponsorKey(tx, key.rootId, accountOf(actor))
    const action = `${audit}_${allowed ? 'allowed' : 'refused'}`
    await recordAudit(tx, actor, {
      businessId,
      action,
      target: id,
      before: { allowed: before },
      after: { allowed },
    })
    return key
  })
}
