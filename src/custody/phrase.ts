import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Queryable } from '../platform/database/db.ts'
import { Secret } from '../platform/secrets.ts'
import type { KeyProvider } from './keyProvider.ts'
import { readEntropy } from './seed.ts'

/** The seed's phrase of 24 words; null before the treasury's first start. */
export async function readPhrase(ctx: { db: Queryable; keyProvider: KeyProvider }): Promise<Secret | null> {
  const entropy = await readEntropy(ctx)
  return entropy && new Secret(entropyToMnemonic(entropy.reveal(), wordlist))
}

/**
 * The seed (64 bytes, BIP-39) of a phrase as people write it; null where a word is unknown or the checksum is
 * wrong.
 */
export function seedOfPhrase(text: Secret): Secret<Uint8Array> | null {
  const phrase = text.reveal().trim().toLowerCase().split(/\s+/).join(' ')
  return validateMnemonic(phrase, wordlist) ? new Secret<Uint8Array>(mnemonicToSeedSync(phrase)) : null
}
