import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import { sponsorKey } from '../members/sponsors.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { waitForTransactions } from '../platform/database/waitForTransactions.ts'
import { ApiError } from '../platform/errors.ts'
import { sameJson } from '../platform/sameJson.ts'
import type { Secret } from '../platform/secrets.ts'
import type { KeysContext } from './createKey.ts'
import { generateApiKey } from './form.ts'
import { heldPermissions } from './heldPermissions.ts'
import { checkedLimits, type KeyManager, requireRoleFor, type WantedLimits } from './limits.ts'
import { getKey } from './listKeys.ts'
import type { ApiKey } from './model.ts'
import { limitsOf, stateOf } from './presentKey.ts'
import { storeKey } from './storeKey.ts'
import { unnamedPermissions } from './unnamedPermissions.ts'

/** The permission to send from stored wallets. */
export const walletsSend = 'wallets:send'

/**
 * Changes a key's name and limits; omitted ones stay.
 * @throws ApiError 400, 404; 403 `insufficient_role`; 409 `key_not_active` for one that has ended,
 * `key_replaced` for a new expiry of a rotated one
 */
export async function changeKey(
  ctx: KeysContext,
  { actor, role }: KeyManager,
  businessId: string,
  id: string,
  wanted: { name?: string } & WantedLimits,
): Promise<ApiKey> {
  return lockedKey(ctx, businessId, id, async (key, tx) => {
    if (stateOf(key) !== 'active') throw notActive(key)
    if (key.replacedBy && wanted.expiresAt !== undefined)
      throw new ApiError(
        409,
        'key_replaced',
        'This key was rotated and ends with its overlap; revoke it to end it earlier',
      )
    const { name, ...wantedLimits } = wanted
    const limits = checkedLimits(wantedLimits, key.scope, ctx.knownPermissions)
    for (const permissions of [heldPermissions(key), limits.permissions])
      requireRoleFor(role, permissions, ctx.knownPermissions)
    const before = { name: key.name, ...limitsOf(key) }
    const held = heldPermissions(key)
    const isAllowed = !maySend(key) && limits.permissions?.includes(walletsSend)
    await key.update(
      {
        ...(name === undefined ? {} : { name: name.trim() }),
        ...limits,
        ...unnamedAfter(key, limits.permissions),
        ...(isChosen(key, limits.permissions) && { refundAddressUntil: null }),
        ...(isAllowed && { sendsAllowedBy: accountOf(actor) }),
      },
      { transaction: tx.transaction },
    )
    if (heldPermissions(key).some((each) => !held.includes(each)))
      await sponsorKey(tx, key.rootId, accountOf(actor))
    const after = { name: key.name, ...limitsOf(key) }
    await recordAudit(tx, actor, { businessId, action: 'key.changed', target: id, ...changed(before, after) })
    return key
  })
}

/**
 * Creates a key with the scope and limits of another one, which stays valid for the overlap.
 * @throws ApiError 404; 403 `insufficient_role`; 409 `key_not_active`, `key_replaced` when it was already
 * rotated
 */
export async function rotateKey(
  ctx: KeysContext,
  { actor, role }: KeyManager,
  businessId: string,
  id: string,
  overlapSeconds: number,
): Promise<{ key: ApiKey; secret: Secret }> {
  return lockedKey(ctx, businessId, id, async (old, tx) => {
    if (stateOf(old) !== 'active') throw notActive(old)
    if (old.replacedBy) throw new ApiError(409, 'key_replaced', 'This key was already rotated')
    requireRoleFor(role, heldPermissions(old), ctx.knownPermissions)
    const secret = generateApiKey(ctx.environment)
    const {
      name,
      scope,
      allowedAddresses,
      requestsPerMinute,
      permissions,
      writePermissions,
      rootId,
      expiresAt,
    } = old
    const { sentFromWalletsAt, refundAddressUntil } = old
    const limits = {
      allowedAddresses,
      requestsPerMinute,
      permissions,
      writePermissions,
      rootId,
      sentFromWalletsAt,
      refundAddressUntil,
      expiresAt,
    }
    const createdBy = accountOf(actor)
    const key = await storeKey(ctx, { businessId, name, scope, createdBy, ...limits, key: secret }, tx)
    const over = Date.now() + overlapSeconds * 1000
    const ends = new Date(Math.min(over, expiresAt?.getTime() ?? over))
    await old.update({ replacedBy: key.id, expiresAt: ends }, { transaction: tx.transaction })
    const after = { replacedBy: key.id, prefix: key.prefix, expiresAt: ends.toISOString() }
    await recordAudit(tx, actor, {
      businessId,
      action: 'key.rotated',
      target: id,
      before: { expiresAt: expiresAt?.toISOString() ?? null },
      after,
    })
    return { key: await key.reload({ transaction: tx.transaction }), secret }
  })
}

/** Revokes a key permanently. Repeating it changes nothing. @throws ApiError 404 */
export async function revokeKey(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  id: string,
): Promise<ApiKey> {
  return lockedKey(ctx, businessId, id, async (key, tx) => {
    if (key.revokedAt) return key
    await key.update({ revokedAt: new Date() }, { transaction: tx.transaction })
    await recordAudit(tx, actor, {
      businessId,
      action: 'key.revoked',
      target: id,
      before: { name: key.name, prefix: key.prefix },
    })
    return key
  })
}

/**
 * Changes a key under a lock. The change applies to new requests at once, and running ones have ended when
 * this returns.
 */
export async function lockedKey<T>(
  ctx: { db: ModelDb },
  businessId: string,
  id: string,
  work: (key: ApiKey, tx: ModelTx) => Promise<T>,
): Promise<T> {
  const key = await getKey(ctx, businessId, id)
  const done = await ctx.db.tx(async (tx) => {
    await key.reload({ transaction: tx.transaction, lock: tx.transaction.LOCK.NO_KEY_UPDATE })
    return work(key, tx)
  })
  await waitForTransactions(ctx.db, 'api_keys', id)
  return done
}

const maySend = (key: ApiKey): boolean => heldPermissions(key).includes(walletsSend)

/**
 * A key that stops naming its permissions gets the defaults of this version; one that never named them keeps
 * its own.
 */
function unnamedAfter(
  key: ApiKey,
  permissions: readonly string[] | null | undefined,
): { writePermissions?: string[] } {
  if (permissions === undefined || (permissions === null && key.permissions === null)) return {}
  return { writePermissions: [...unnamedPermissions(key.scope, permissions)] }
}

/** New permissions, chosen by a member, are all that the key has from now on. */
const isChosen = (key: ApiKey, permissions: readonly string[] | null | undefined): boolean =>
  permissions !== undefined && !sameJson(permissions, key.permissions ?? null)

export const notActive = (key: ApiKey) =>
  new ApiError(409, 'key_not_active', `This key is ${stateOf(key)}; make a new one`)

/** The fields that differ. */
function changed(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): { before: object; after: object } {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const only = (state: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: only(before), after: only(after) }
}
