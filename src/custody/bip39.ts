import { randomBytes } from 'node:crypto'
import { entropyToMnemonic, generateMnemonic, mnemonicToSeedSync, validateMnemonic, wordlists } from 'bip39'

const english = englishList()

/** The 2048 English words of BIP-39, in their order. */
export const englishWords: readonly string[] = english

/** A new phrase of 12 words (128 bits). */
export const newPhrase = (): string => inOwnMemory(() => generateMnemonic(128, randomBytes, english))

/** The phrase of an entropy of 16, 20, 24, 28 or 32 bytes. */
export const phraseOf = (entropy: Uint8Array): string =>
  inOwnMemory(() =>
    entropyToMnemonic(Buffer.from(entropy.buffer, entropy.byteOffset, entropy.byteLength), english),
  )

/** True for English words in lower case, one space between them, whose checksum is right. */
export const isPhrase = (text: string): boolean => inOwnMemory(() => validateMnemonic(text, english))

/** The seed (64 bytes) of a phrase without a passphrase. Takes about 10 ms of this thread. */
export const seedOfWords = (phrase: string): Uint8Array => inOwnMemory(() => mnemonicToSeedSync(phrase))

/**
 * Node cuts small buffers out of a block that the whole process shares, where a copy of a phrase or an entropy
 * would stay until it is overwritten. Each buffer that `work` makes gets memory of its own, and is collected
 * with it.
 */
function inOwnMemory<Result>(work: () => Result): Result {
  const { poolSize } = Buffer
  Buffer.poolSize = 0
  try {
    return work()
  } finally {
    Buffer.poolSize = poolSize
  }
}

function englishList(): string[] {
  if (!wordlists.english) throw new Error('the package bip39 has no English word list')
  return wordlists.english
}
