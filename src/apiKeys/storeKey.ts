import { newId } from '../platform/ids.ts'
import type { ModelDb, ModelTx } from '../platform/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { type Environment, generateApiKey, hashOfKey, prefixLength } from './form.ts'
import { type ApiKey, apiKeyModel, type KeyLimits, type Scope } from './model.ts'

export interface KeyToStore extends Partial<KeyLimits> {
  businessId: string
  name: string
  scope: Scope
  createdBy?: string | null
}

/** Stores a key; of the key itself only its hash and its beginning. */
export async function storeKey(ctx: { db: ModelDb }, wanted: KeyToStore & { key: Secret }, tx?: ModelTx): Promise<ApiKey> {
  const { key, ...row } = wanted
  const text = key.reveal()
  return apiKeyModel(ctx.db.sequelize).create(
    { id: newId(), ...row, prefix: text.slice(0, prefixLength), hash: hashOfKey(text) },
    { transaction: tx?.transaction ?? null },
  )
}

/** Stores a new key of a business; the returned text is the only copy there will ever be. */
export async function createApiKey(ctx: { db: ModelDb }, wanted: KeyToStore & { environment: Environment }): Promise<Secret> {
  const { environment, ...row } = wanted
  const key = generateApiKey(environment)
  await storeKey(ctx, { ...row, key })
  return key
}
