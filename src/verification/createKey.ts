import { type Environment, generateKey, hashOfKey, prefixLength } from '../apiKeys/form.ts'
import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import type { Db, Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { readVerificationKey } from './listKeys.ts'
import { type KeyKind, prefixOf, type VerificationKey } from './model.ts'

export interface NewKey {
  key: VerificationKey
  /** The only copy. */
  secret: Secret
}

/** Creates a key of the verification area for a business. */
export async function createVerificationKey(
  ctx: { db: Db; environment: Environment },
  actor: Actor,
  businessId: string,
  wanted: { name: string; kind: KeyKind },
): Promise<NewKey> {
  return ctx.db.tx(async (tx) => {
    const made = await storeVerificationKey(tx, ctx.environment, businessId, accountOf(actor), wanted)
    const { id, name, kind, prefix } = made.key
    await recordAudit(tx, actor, { businessId, action: 'verification_key.created', target: id, after: { name, kind, prefix } })
    return made
  })
}

/** Stores a new key: only its hash and its prefix. @param createdBy null: made with the deployment */
export async function storeVerificationKey(
  tx: Tx,
  environment: Environment,
  businessId: string,
  createdBy: string | null,
  { name, kind }: { name: string; kind: KeyKind },
): Promise<NewKey> {
  const secret = generateKey(prefixOf[kind], environment)
  const text = secret.reveal()
  const id = newId()
  await tx.query('insert into verification_keys (id, business_id, name, kind, prefix, hash, created_by) values ($1, $2, $3, $4, $5, $6, $7)', [
    id,
    businessId,
    name.trim(),
    kind,
    text.slice(0, prefixLength),
    hashOfKey(text),
    createdBy,
  ])
  return { key: await readVerificationKey(tx, businessId, id), secret }
}
