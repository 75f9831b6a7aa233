import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keypair } from '@solana/web3.js'
import fc from 'fast-check'
import { Secret } from '../../platform/secrets.ts'
import { solanaWalletKeys } from './walletKeys.ts'

const { defaultPath, derive, parse, refusePath } = solanaWalletKeys
const seed = mnemonicToSeedSync(
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
)
const pairs = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Keypair.fromSeed(bytes))
const read = (text: string) => parse(new Secret(text))

describe('a Solana wallet key', () => {
  test('has the address that Phantom, Solflare and solana-keygen show for the phrase of BIP-39’s first test vector', () => {
    const key = derive(seed, defaultPath)
    expect([key.address, key.publicKey]).toEqual(
      Array(2).fill('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'),
    )
    expect(Keypair.fromSecretKey(base58.decode(key.privateKey.reveal())).publicKey.toBase58()).toBe(
      key.address,
    )
  })

  test('differs by path', () => {
    const addresses = ["m/44'/501'", "m/44'/501'/0'", defaultPath, "m/44'/501'/1'/0'", "m/0'"].map(
      (path) => derive(seed, path).address,
    )
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('is read from wallet exports and solana-keygen files, to the same key', () => {
    fc.assert(
      fc.property(pairs, (pair) => {
        const [address, text] = [pair.publicKey.toBase58(), base58.encode(pair.secretKey)]
        for (const form of [
          text,
          JSON.stringify([...pair.secretKey]),
          JSON.stringify([...pair.secretKey], null, 2),
        ]) {
          const key = read(form)
          expect([key?.address, key?.publicKey, key?.privateKey.reveal()]).toEqual([address, address, text])
        }
      }),
      { numRuns: 30 },
    )
  })

  test('is not read if the public half does not match the secret half', () => {
    fc.assert(
      fc.property(pairs, fc.nat(63), fc.integer({ min: 1, max: 255 }), (pair, at, change) => {
        const bytes = Uint8Array.from(pair.secretKey)
        bytes[at] = (bytes[at] ?? 0) ^ change
        expect([read(base58.encode(bytes)), read(JSON.stringify([...bytes]))]).toEqual([null, null])
      }),
      { numRuns: 30 },
    )
  })

  test.each<[string, (pair: Keypair) => string]>([
    ['an address', (pair) => pair.publicKey.toBase58()],
    ['the secret half alone', (pair) => base58.encode(pair.secretKey.subarray(0, 32))],
    ['hex', (pair) => Buffer.from(pair.secretKey).toString('hex')],
    ['base64', (pair) => Buffer.from(pair.secretKey).toString('base64')],
    ['a list of 32 numbers', (pair) => JSON.stringify([...pair.secretKey.subarray(0, 32)])],
    ['a list of 65 numbers', (pair) => JSON.stringify([...pair.secretKey, 0])],
    ['a list with a number above 255', (pair) => JSON.stringify([...pair.secretKey.subarray(0, 63), 256])],
    ['a list of strings', (pair) => JSON.stringify([...pair.secretKey].map(String))],
    ['a number', () => '64'],
    ['an empty text', () => ''],
    ['a very long text', () => '1'.repeat(1_000_000)],
  ])('is not read from %s', (_what, form) => {
    expect(read(form(Keypair.generate()))).toBeNull()
  })

  test('is not read from arbitrary text, without an error', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => expect(read(text)).toBeNull()))
  })
})

describe('a derivation path', () => {
  test.each([defaultPath, "m/0'", "m/44'/501'/2147483647'", `m${"/1'".repeat(10)}`])(
    '%s is accepted',
    (path) => {
      expect(refusePath(path)).toBeNull()
      expect(derive(seed, path).address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    },
  )

  test.each([
    ["m/44'/501'/0'/0", /hardened steps only.*this curve/],
    ['m/44/501/0/0', /hardened/],
    [`m${"/1'".repeat(11)}`, /at most 10 steps/],
    ["m/2147483648'", /no step of 2147483648/],
    ["m/99999999999'", /whole numbers/],
    ["m/01'", /whole numbers/],
    ['m', /begin with m/],
    ['m/', /whole numbers/],
    ["44'/501'", /begin with m/],
    ["M/44'", /begin with m/],
    ['m/44h/501h', /whole numbers/],
    ["m/-1'", /whole numbers/],
    ["m/44'/501'/0'/0' ", /whole numbers/],
    ["m/44'\n", /whole numbers/],
    ['', /begin with m/],
  ])('%j is refused', (path, why) => {
    expect(refusePath(path)).toMatch(why)
  })
})
