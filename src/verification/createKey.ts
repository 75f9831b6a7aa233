import { type Environment, generateKey, hashOfKey, prefixLength } from '../apiKeys/form.ts'
import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { readVerificationKey } from './listKeys.ts'
import { type KeyKind, prefixOf, type VerificationKey } from './model.ts'

export interface NewKey {
  key: VerificationKey
  /** The only copy. */
  secret: Secret
}

export interface WantedKey {
  name: string
  kind: KeyKind
  origins?: string[]
}

/** Creates a key of the verification area for a business. @throws ApiError 400 */
export async function createVerificationKey(
  ctx: { db: Db; environment: Environment },
  actor: Actor,
  businessId: string,
  wanted: WantedKey,
): Promise<NewKey> {
  if (wanted.kind === 'secret' && wanted.origins?.length)
    throw invalidBody({ field: 'origins', message: 'is only for publishable keys', code: 'not_possible' })
  return ctx.db.tx(async (tx) => {
    const made = await storeVerificationKey(tx, ctx.environment, businessId, accountOf(actor), wanted)
    const { id, name, kind, prefix, origins } = made.key
    await recordAudit(tx, actor, {
      businessId,
      action: 'verification_key.created',
      target: id,
      after: { name, kind, prefix, ...(origins.length > 0 && { origins }) },
    })
    return made
  })
}

/** Stores a new key: only its hash and its prefix. @param createdBy null: made with the deployment */
export async function storeVerificationKey(
  tx: Tx,
  environment: Environment,
  businessId: string,
  createdBy: string | null,
  { name, kind, origins = [] }: WantedKey,
): Promise<NewKey> {
  const secret = generateKey(prefixOf[kind], environment)
  const text = secret.reveal()
  const id = newId()
  await tx.query(
    'insert into verification_keys (id, business_id, name, kind, prefix, hash, created_by, origins) values ($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      id,
      businessId,
      name.trim(),
      kind,
      text.slice(0, prefixLength),
      hashOfKey(text),
      createdBy,
      [...new Set(origins)],
    ],
  )
  return { key: await readVerificationKey(tx, businessId, id), secret }
}
