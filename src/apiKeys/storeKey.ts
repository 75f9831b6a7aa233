import { sponsorKey } from '../members/sponsors.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { type Environment, generateApiKey, hashOfKey, prefixLength } from './form.ts'
import { type ApiKey, apiKeyModel, type KeyLimits, type Scope } from './model.ts'
import { unnamedPermissions } from './unnamedPermissions.ts'

export interface KeyToStore extends Partial<KeyLimits> {
  businessId: string
  name: string
  scope: Scope
  createdBy?: string | null
  /** Permissions of the scope `write` for a key that names no permissions; default: those of this version. */
  writePermissions?: readonly string[]
  /** That of the key that it replaces. */
  rootId?: string
  sentFromWalletsAt?: Date | null
  refundAddressUntil?: Date | null
}

/** Stores a key: only its hash and its prefix. */
export async function storeKey(
  ctx: { db: ModelDb },
  wanted: KeyToStore & { key: Secret },
  tx?: ModelTx,
): Promise<ApiKey> {
  const { key, ...row } = wanted
  const text = key.reveal()
  const id = newId()
  const writePermissions = [...(row.writePermissions ?? unnamedPermissions(row.scope, row.permissions))]
  const stored = await apiKeyModel(ctx.db.sequelize).create(
    { id, rootId: id, ...row, writePermissions, prefix: text.slice(0, prefixLength), hash: hashOfKey(text) },
    { transaction: tx?.transaction ?? null },
  )
  await sponsorKey(tx ?? ctx.db, stored.rootId, row.createdBy ?? null)
  return stored
}

/** Stores a new key of a business; the returned text is the only copy. */
export async function createApiKey(
  ctx: { db: ModelDb },
  wanted: KeyToStore & { environment: Environment },
): Promise<Secret> {
  const { environment, ...row } = wanted
  const key = generateApiKey(environment)
  await storeKey(ctx, { ...row, key })
  return key
}
