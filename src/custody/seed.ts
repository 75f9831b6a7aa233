import { randomBytes } from 'node:crypto'
import type { Db, Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { phraseOf, seedOfWords } from './bip39.ts'
import { type Envelope, envelopeColumns, openEnvelope, sealEnvelope } from './envelope.ts'
import type { KeyProvider } from './keyProvider.ts'

export const seedContext = 'cowry/seed/v1'

/**
 * The deployment's seed (64 bytes, BIP-39), created and sealed by the first call. The entropy of a 24-word
 * phrase is stored, so that the seed can be backed up as words.
 * @throws when the stored seed was sealed by another provider or key
 */
export async function openSeed(ctx: { db: Db; keyProvider: KeyProvider }): Promise<Secret<Uint8Array>> {
  const stored = await readSeed(ctx)
  if (stored) return stored
  const entropy = new Secret<Uint8Array>(randomBytes(32))
  const envelope = await sealEnvelope(ctx.keyProvider, entropy, seedContext)
  // Concurrent first calls: one row wins, and both read it.
  await ctx.db.query(
    'insert into seeds (id, provider, wrapping_key, wrapped_key, sealed) values ($1, $2, $3, $4, $5) on conflict do nothing',
    [newId(), envelope.provider, envelope.wrappingKey, envelope.wrappedKey, envelope.sealed],
  )
  failpoint('treasury.seed-stored')
  const made = await readSeed(ctx)
  if (!made) throw new Error('the seed was stored but cannot be read back')
  return made
}

async function readSeed(ctx: { db: Db; keyProvider: KeyProvider }): Promise<Secret<Uint8Array> | null> {
  const entropy = await readEntropy(ctx)
  return entropy && new Secret<Uint8Array>(seedOfWords(phraseOf(entropy.reveal())))
}

/**
 * The entropy of the phrase (32 bytes); null before the treasury's first start. @throws when it was sealed by
 * another provider or key
 */
export async function readEntropy(ctx: {
  db: Queryable
  keyProvider: KeyProvider
}): Promise<Secret<Uint8Array> | null> {
  const [row] = await ctx.db.query<Envelope>(`select ${envelopeColumns} from seeds`)
  if (!row) return null
  return openEnvelope(ctx.keyProvider, row, seedContext).catch((cause) => {
    throw new Error(`the seed cannot be opened: ${messageOf(cause)}`, { cause })
  })
}
