import { describe, expect, test } from '@jest/globals'
import { entropyToMnemonic, mnemonicToSeed } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import fc from 'fast-check'
import { ApiError } from '../platform/errors.ts'
import { Secret } from '../platform/secrets.ts'
import { newMnemonic, parseMnemonic, seedOf } from './mnemonic.ts'

const parse = (text: string) => parseMnemonic(new Secret(text)).reveal()
/** @returns the answer's sentence about the field */
const refusalOf = (text: string): string | null => {
  try {
    parse(text)
    return null
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [field] = error.fields ?? []
    expect([error.status, error.fields?.length, field?.field]).toEqual([400, 1, 'mnemonic'])
    return field?.message ?? null
  }
}
/** 128, 160, 192, 224 and 256 bits. */
const phrases = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  .map((entropy) => entropyToMnemonic(entropy, wordlist))
const spaces = fc.constantFrom(' ', '  ', '\t', '\n', '\r\n', ' \n ', '\u00a0', '\u3000')
const known = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

describe('a phrase', () => {
  test('of each length is accepted in any case and with any whitespace, and kept in one form', () => {
    fc.assert(
      fc.property(phrases, spaces, fc.infiniteStream(fc.boolean()), (phrase, space, upper) => {
        const written = [...phrase]
          .map((letter) => (upper.next().value ? letter.toUpperCase() : letter))
          .join('')
        expect(parse(`${space}${written.split(' ').join(space)}${space}`)).toBe(phrase)
      }),
    )
  })

  test('in full-width letters is the same', () => {
    const wide = [...known]
      .map((letter) => (letter === ' ' ? '\u3000' : String.fromCharCode(letter.charCodeAt(0) + 0xfee0)))
      .join('')
    expect(parse(wide)).toBe(known)
  })

  test('that is new has 12 words, is valid BIP-39, and differs each time', () => {
    const made = Array.from({ length: 100 }, () => newMnemonic().reveal())
    for (const phrase of made) expect(parse(phrase)).toBe(phrase)
    expect(made.every((phrase) => phrase.split(' ').length === 12)).toBe(true)
    expect(new Set(made).size).toBe(100)
  })

  test('is never shown', () => {
    const parsed = parseMnemonic(new Secret(known))
    expect(`${parsed} ${JSON.stringify({ parsed })}`).toBe('[redacted] {"parsed":"[redacted]"}')
    expect(String(newMnemonic())).toBe('[redacted]')
  })

  test('has the seed that another implementation gives it, without a passphrase', async () => {
    await fc.assert(
      fc.asyncProperty(phrases, async (phrase) => {
        expect(
          Buffer.from((await seedOf(new Secret(phrase))).reveal()).equals(await mnemonicToSeed(phrase)),
        ).toBe(true)
      }),
      { numRuns: 10 },
    )
  })
})

test('other work runs while seeds are derived', async () => {
  const order: string[] = []
  const seeds = Array.from({ length: 60 }, () => seedOf(new Secret(known)).then(() => order.push('seed')))
  setImmediate(() => order.push('another'))
  await Promise.all(seeds)
  // On this thread, all seeds would have come first.
  expect(order).toContain('another')
})

describe('an invalid phrase is refused', () => {
  test.each([
    ['', 'has 0 words; a phrase has 12, 15, 18, 21 or 24'],
    ['  \n', 'has 0 words; a phrase has 12, 15, 18, 21 or 24'],
    [`${known} legal`, 'has 13 words; a phrase has 12, 15, 18, 21 or 24'],
    [known.replace('thank', 'thankful'), 'word 3 is not in the English list of BIP-39'],
    [known.replace(/yellow$/, 'yello'), 'word 12 is not in the English list of BIP-39'],
    [known.replace(/yellow$/, 'zebra'), 'the checksum is wrong: a word is wrong or in the wrong place'],
    [known.split(' ').reverse().join(' '), 'the checksum is wrong: a word is wrong or in the wrong place'],
    // BIP-39 has lists of other languages, which are not accepted.
    ['ábaco '.repeat(12), 'word 1 is not in the English list of BIP-39'],
  ])('%j: %s', (text, refused) => {
    expect(refusalOf(text)).toBe(refused)
  })

  test('without quoting any of its words', () => {
    const words = fc.oneof(fc.constantFrom(...wordlist), fc.stringMatching(/^[a-z]{3,9}$/))
    // Words of the messages themselves.
    const ours = new Set([
      'bip',
      'word',
      'words',
      'has',
      'not',
      'the',
      'list',
      'english',
      'phrase',
      'checksum',
      'wrong',
      'place',
    ])
    fc.assert(
      fc.property(fc.array(words, { maxLength: 26 }), (given) => {
        const refusal = refusalOf(given.join(' '))
        if (refusal === null) return
        const said = refusal.toLowerCase().split(/[^a-z0-9]+/)
        expect(given.filter((word) => !ours.has(word) && said.includes(word))).toEqual([])
      }),
    )
  })

  test('when any word is changed, except for those that the checksum cannot detect (1 in 16)', () => {
    const [taken, all] = [{ count: 0 }, { count: 0 }]
    const words = known.split(' ')
    for (const [place] of words.entries()) {
      for (const other of wordlist.filter((_, index) => index % 8 === place % 8)) {
        if (other === words[place]) continue
        all.count++
        if (refusalOf(words.with(place, other).join(' ')) === null) taken.count++
      }
    }
    expect(taken.count / all.count).toBeGreaterThan(0.05)
    expect(taken.count / all.count).toBeLessThan(0.075)
  })
})
