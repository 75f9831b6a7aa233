import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { englishWords, isPhrase, newPhrase } from '../custody/bip39.ts'
import { invalidBody } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'

/** Lengths of BIP-39: 128, 160, 192, 224 and 256 bits. */
const lengths = [12, 15, 18, 21, 24]
const known = new Set(englishWords)

/** A phrase of 12 words (128 bits). */
export const newMnemonic = (): Secret => new Secret(newPhrase())

/**
 * Parses an English BIP-39 phrase into normal form: lower case, one space between words.
 * @throws ApiError 400 that names the field `mnemonic` and quotes nothing of it
 */
export function parseMnemonic(phrase: Secret): Secret {
  const words = phrase
    .reveal()
    .normalize('NFKD')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (!lengths.includes(words.length))
    throw invalid(`has ${words.length} words; a phrase has 12, 15, 18, 21 or 24`)
  const unknownWord = words.findIndex((word) => !known.has(word))
  if (unknownWord !== -1) throw invalid(`word ${unknownWord + 1} is not in the English list of BIP-39`)
  const text = words.join(' ')
  if (!isPhrase(text)) throw invalid('the checksum is wrong: a word is wrong or in the wrong place')
  return new Secret(text)
}

const invalid = (message: string) => invalidBody({ field: 'mnemonic', message, code: 'invalid_mnemonic' })

/** True when the words are a phrase, by their checksum: sentences may consist of these words only. */
export const readsAsPhrase = (words: readonly string[]): boolean =>
  lengths.includes(words.length) && words.every((word) => known.has(word)) && isPhrase(words.join(' '))

const stretch = promisify(pbkdf2)

/**
 * The seed (64 bytes) of a phrase without passphrase (BIP-39, "From mnemonic to seed"). Runs on Node's thread
 * pool.
 * @param mnemonic in the form of `parseMnemonic`
 */
export async function seedOf(mnemonic: Secret): Promise<Secret<Uint8Array>> {
  return new Secret<Uint8Array>(await stretch(mnemonic.reveal(), 'mnemonic', 2048, 64, 'sha512'))
}
