import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { generateMnemonic, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Secret } from '../platform/secrets.ts'

/** Lengths of BIP-39: 128, 160, 192, 224 and 256 bits. */
const lengths = [12, 15, 18, 21, 24]
const known = new Set(wordlist)

/** A phrase of 12 words (128 bits). */
export const newMnemonic = (): Secret => new Secret(generateMnemonic(wordlist, 128))

/**
 * A phrase of BIP-39 in English, in its one form: lower case, one space between words.
 * @returns why it is none in words that follow its name, and never quote any of it
 */
export function parseMnemonic(phrase: Secret): Secret | { refused: string } {
  const words = phrase
    .reveal()
    .normalize('NFKD')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (!lengths.includes(words.length)) return { refused: `has ${words.length} words; a phrase has 12, 15, 18, 21 or 24` }
  const stranger = words.findIndex((word) => !known.has(word))
  if (stranger !== -1) return { refused: `word ${stranger + 1} is not in the English list of BIP-39` }
  const text = words.join(' ')
  return validateMnemonic(text, wordlist) ? new Secret(text) : { refused: 'the checksum is wrong: a word is another one, or stands elsewhere' }
}

/** Whether so many words of the list stand there that it is a phrase, or one in which a word is mistaken. It costs little: the checksum is not looked at. */
export const readsAsPhrase = (words: readonly string[]): boolean => lengths.includes(words.length) && words.every((word) => known.has(word))

const stretch = promisify(pbkdf2)

/**
 * The seed (64 bytes) of a phrase without passphrase (BIP-39, "From mnemonic to seed"). By Node, on a thread of its own.
 * @param mnemonic in the form of `parseMnemonic`
 */
export async function seedOf(mnemonic: Secret): Promise<Secret<Uint8Array>> {
  return new Secret<Uint8Array>(await stretch(mnemonic.reveal(), 'mnemonic', 2048, 64, 'sha512'))
}
