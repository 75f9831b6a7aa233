import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import * as scure from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import * as bip39 from 'bip39'
import fc from 'fast-check'
import { bip39 as vectors } from '../../test/promises/walletVectors.ts'
import { englishWords, isPhrase, newPhrase, phraseOf, seedOfWords } from './bip39.ts'

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const hex = (of: Uint8Array) => Buffer.from(of).toString('hex')

describe('the official vectors of BIP-39, in two implementations', () => {
  test.each(vectors)('entropy %s', (entropy, phrase, seed) => {
    expect(phraseOf(bytes(entropy))).toBe(phrase)
    expect(scure.entropyToMnemonic(bytes(entropy), wordlist)).toBe(phrase)
    expect(isPhrase(phrase)).toBe(true)
    expect(scure.validateMnemonic(phrase, wordlist)).toBe(true)
    expect(hex(bip39.mnemonicToSeedSync(phrase, 'TREZOR'))).toBe(seed)
    expect(hex(scure.mnemonicToSeedSync(phrase, 'TREZOR'))).toBe(seed)
    expect(hex(seedOfWords(phrase))).toBe(hex(scure.mnemonicToSeedSync(phrase)))
  })
})

test('both have the same English words', () => {
  expect(englishWords).toEqual(wordlist)
})

test('both give each entropy the same phrase, and accept the same phrases', () => {
  const entropies = fc
    .constantFrom(16, 20, 24, 28, 32)
    .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  fc.assert(
    fc.property(entropies, fc.nat(), fc.constantFrom(...wordlist), (entropy, place, word) => {
      const phrase = phraseOf(entropy)
      expect(phrase).toBe(scure.entropyToMnemonic(entropy, wordlist))
      const words = phrase.split(' ')
      const changed = words.with(place % words.length, word).join(' ')
      expect(isPhrase(changed)).toBe(scure.validateMnemonic(changed, wordlist))
      const shorter = words.slice(1).join(' ')
      expect(isPhrase(shorter)).toBe(scure.validateMnemonic(shorter, wordlist))
    }),
  )
})

test('an entropy that is a part of a larger buffer has its own phrase', () => {
  const whole = new Uint8Array(64).fill(255)
  whole.fill(0, 16, 32)
  expect(phraseOf(whole.subarray(16, 32))).toBe(vectors[0][1])
})

test('a new phrase has 12 words and a right checksum', () => {
  const phrase = newPhrase()
  expect(phrase.split(' ')).toHaveLength(12)
  expect(isPhrase(phrase)).toBe(true)
})

test('neither phrase, entropy nor seed stays in the memory that Node shares', () => {
  const entropy = randomBytes(16)
  const phrase = phraseOf(entropy)
  expect(isPhrase(phrase)).toBe(true)
  const seed = seedOfWords(phrase)
  // A small buffer is cut out of the shared block.
  const shared = Buffer.from(Buffer.from('small').buffer)
  expect(shared.includes('small')).toBe(true)
  for (const secret of [phrase, entropy, seed]) expect(shared.includes(secret as Buffer)).toBe(false)
  expect(seed.buffer.byteLength).toBe(64)
})
