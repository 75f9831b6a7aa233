import type { Queryable } from '../platform/database/db.ts'
import { Secret } from '../platform/secrets.ts'
import { isPhrase, phraseOf, seedOfWords } from './bip39.ts'
import type { KeyProvider } from './keyProvider.ts'
import { readEntropy } from './seed.ts'

/** The seed's phrase of 24 words; null before the treasury's first start. */
export async function readPhrase(ctx: { db: Queryable; keyProvider: KeyProvider }): Promise<Secret | null> {
  const entropy = await readEntropy(ctx)
  return entropy && new Secret(phraseOf(entropy.reveal()))
}

/**
 * The seed (64 bytes, BIP-39) of a phrase as people write it; null where a word is unknown or the checksum is
 * wrong.
 */
export function seedOfPhrase(text: Secret): Secret<Uint8Array> | null {
  const phrase = text.reveal().trim().toLowerCase().split(/\s+/).join(' ')
  return isPhrase(phrase) ? new Secret<Uint8Array>(seedOfWords(phrase)) : null
}
