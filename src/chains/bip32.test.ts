import { describe, expect, test } from '@jest/globals'
import { HDKey } from '@scure/bip32'
import { childPublicKey, requireIndex } from './bip32.ts'

/** BIP-32, "Test vector 1": its seed, and the extended public key of m/0'/1/2'/2/1000000000. */
const seed = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const xpub =
  'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy'

const compressed = (key: Uint8Array) =>
  Buffer.of(key[64] === undefined ? 0 : 2 + (key[64] & 1), ...key.subarray(1, 33)).toString('hex')

describe('a child of a branch', () => {
  test("has the public key of BIP-32's test vector, uncompressed", () => {
    const key = childPublicKey(seed, "m/0'/1/2'/2", 1_000_000_000)
    expect([key.length, key[0]]).toEqual([65, 4])
    expect(compressed(key)).toBe(Buffer.from(HDKey.fromExtendedKey(xpub).publicKey ?? []).toString('hex'))
  })

  test('is the same with a copy of the seed, and after other branches of it; it differs for another seed', () => {
    const first = childPublicKey(seed, "m/44'/195'/1'/0", 7)
    childPublicKey(seed, "m/44'/60'/1'/0", 7)
    expect(childPublicKey(seed, "m/44'/195'/1'/0", 7)).toEqual(first)
    expect(childPublicKey(Uint8Array.from(seed), "m/44'/195'/1'/0", 7)).toEqual(first)
    expect(
      childPublicKey(
        Uint8Array.from(seed, (byte) => byte ^ 1),
        "m/44'/195'/1'/0",
        7,
      ),
    ).not.toEqual(first)
    expect(childPublicKey(seed, "m/44'/60'/1'/0", 7)).not.toEqual(first)
  })
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
  'a path cannot have the index %d',
  (index) => {
    expect(() => requireIndex(index)).toThrow(RangeError)
    expect(() => childPublicKey(seed, 'm/0', index)).toThrow(RangeError)
  },
)
