import { describe, expect, test } from '@jest/globals'
import { StrKey } from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { decodeStrKey, encodeStrKey, type StrKeyKind } from './strkey.ts'

/** SEP-23, "Valid test cases", of the supported kinds. */
const valid: readonly (readonly [StrKeyKind, string, string])[] = [
  [
    'account',
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    '3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a',
  ],
  [
    'muxed',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    '3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a0000000000000000',
  ],
  [
    'muxed',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
    '3f0c34bf93ad0d9971d04ccc90f705511c838aad9734a4a2fb0d7a03fc7fe89a8000000000000000',
  ],
  [
    'contract',
    'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE',
    '363eaa3867841fbad0f4ed88c779e4fe66e56a2470dc98c0ec9c073d05c7b103',
  ],
]

/** SEP-23, "Invalid test cases". */
const invalid: readonly (readonly [string, string])[] = [
  ['a length that is not valid base32', 'GAAAAAAAACGC6'],
  ['an unused bit that is set', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUR'],
  ['a character too many', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZA'],
  ['36 bytes and not 35', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UACUSI'],
  ['an unknown algorithm of an account', 'G47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVP2I'],
  [
    'a length that is not valid base32, muxed',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLKA',
  ],
  ['43 bytes and not 44', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAAV75I'],
  [
    'an unknown algorithm of a muxed account',
    'M47QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
  ],
  ['padding', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUK==='],
  ['a wrong checksum', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUO'],
]

const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

describe('a strkey', () => {
  test.each(valid)('of kind %s: %s decodes to its bytes and back', (kind, text, payload) => {
    const decoded = decodeStrKey(text)
    expect([decoded?.kind, hexOf(decoded?.payload)]).toEqual([kind, payload])
    expect(encodeStrKey(kind, Buffer.from(payload, 'hex'))).toBe(text)
  })

  test.each(invalid)('with %s is not valid', (_what, text) => {
    expect(decodeStrKey(text)).toBeNull()
  })

  test.each([
    ['nothing', ''],
    ['lower case', 'ga7qynf7sowq3glr2bgmzehxavirza4kvwltjjfc7mgxua74p7ujvsgz'],
    ['a trailing space', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ '],
    ['a secret key', StrKey.encodeEd25519SecretSeed(Buffer.alloc(32, 7))],
    ['the hash of a pre-authorized transaction', StrKey.encodePreAuthTx(Buffer.alloc(32, 7))],
  ])('%s is not valid', (_what, text) => {
    expect(decodeStrKey(text)).toBeNull()
  })

  test("of any bytes matches the SDK's, and decodes again", () => {
    const encoders: Record<StrKeyKind, (payload: Buffer) => string> = {
      account: (payload) => StrKey.encodeEd25519PublicKey(payload),
      muxed: (payload) => StrKey.encodeMed25519PublicKey(payload),
      contract: (payload) => StrKey.encodeContract(payload),
    }
    for (const [kind, bytes] of [
      ['account', 32] as const,
      ['muxed', 40] as const,
      ['contract', 32] as const,
    ]) {
      fc.assert(
        fc.property(fc.uint8Array({ minLength: bytes, maxLength: bytes }), (payload) => {
          const text = encoders[kind](Buffer.from(payload))
          expect(encodeStrKey(kind, payload)).toBe(text)
          expect([decodeStrKey(text)?.kind, hexOf(decodeStrKey(text)?.payload)]).toEqual([
            kind,
            hexOf(payload),
          ])
        }),
      )
    }
  })

  test('with any one character mistyped is not valid', () => {
    const mistyped = fc.record({
      which: fc.nat(valid.length - 1),
      at: fc.nat(68),
      by: fc.integer({ min: 1, max: 31 }),
    })
    fc.assert(
      fc.property(mistyped, ({ which, at, by }) => {
        const text = valid[which]?.[1] ?? ''
        const place = at % text.length
        const other = alphabet[(alphabet.indexOf(text[place] ?? '') + by) % alphabet.length]
        expect(decodeStrKey(text.slice(0, place) + other + text.slice(place + 1))).toBeNull()
      }),
      { numRuns: 1000 },
    )
  })
})
