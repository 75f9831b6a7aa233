import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keypair } from '@stellar/stellar-sdk/base'
import fc from 'fast-check'
import { howMany } from '../../../test/support/full.ts'
import { Secret } from '../../platform/secrets.ts'
import { stellarWalletKeys } from './walletKeys.ts'

/** SEP-5, "Test cases" 1 to 3: of 12, 15 and 24 words. */
const phrases = {
  twelve: 'illness spike retreat truth genius clock brain pass fit cave bargain toe',
  fifteen: 'resource asthma orphan phone ice canvas fire useful arch jewel impose vague theory cushion top',
  twentyFour:
    'bench hurt jump file august wise shallow faculty impulse spring exact slush thunder author capable act festival slice deposit sauce coconut afford frown better',
}
const vectors: [keyof typeof phrases, string, string, string][] = [
  [
    'twelve',
    "m/44'/148'/0'",
    'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6',
    'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN',
  ],
  [
    'twelve',
    "m/44'/148'/9'",
    'GBTVYYDIYWGUQUTKX6ZMLGSZGMTESJYJKJWAATGZGITA25ZB6T5REF44',
    'SCJGVMJ66WAUHQHNLMWDFGY2E72QKSI3XGSBYV6BANDFUFE7VY4XNXXR',
  ],
  [
    'fifteen',
    "m/44'/148'/0'",
    'GAVXVW5MCK7Q66RIBWZZKZEDQTRXWCZUP4DIIFXCCENGW2P6W4OA34RH',
    'SAKS7I2PNDBE5SJSUSU2XLJ7K5XJ3V3K4UDFAHMSBQYPOKE247VHAGDB',
  ],
  [
    'fifteen',
    "m/44'/148'/4'",
    'GCSCZVGV2Y3EQ2RATJ7TE6PVWTW5OH5SMG754AF6W6YM3KJF7RMNPB4Y',
    'SBWBM73VUNBGBMFD4E2BA7Q756AKVEAAVTQH34RYEUFD6X64VYL5KXQ2',
  ],
  [
    'twentyFour',
    "m/44'/148'/0'",
    'GC3MMSXBWHL6CPOAVERSJITX7BH76YU252WGLUOM5CJX3E7UCYZBTPJQ',
    'SAEWIVK3VLNEJ3WEJRZXQGDAS5NVG2BYSYDFRSH4GKVTS5RXNVED5AX7',
  ],
  [
    'twentyFour',
    "m/44'/148'/8'",
    'GDHX4LU6YBSXGYTR7SX2P4ZYZSN24VXNJBVAFOB2GEBKNN3I54IYSRM4',
    'SCGMC5AHAAVB3D4JXQPCORWW37T44XJZUNPEMLRW6DCOEARY3H5MAQST',
  ],
]

describe('a key', () => {
  test.each(vectors)('of the %s words of SEP-5 at %s matches SEP-5', (words, path, address, secret) => {
    const key = stellarWalletKeys.derive(mnemonicToSeedSync(phrases[words]), path)
    expect([key.address, key.publicKey, key.privateKey.reveal()]).toEqual([address, address, secret])
    expect(stellarWalletKeys.parse(new Secret(secret))?.address).toBe(address)
  })

  test("has SEP-5's path by default", () => {
    expect(stellarWalletKeys.defaultPath).toBe("m/44'/148'/0'")
    expect(stellarWalletKeys.refusePath(stellarWalletKeys.defaultPath)).toBeNull()
  })

  test('imports into the SDK, with the same address and signatures', () => {
    const anySeed = fc.uint8Array({ minLength: 64, maxLength: 64 })
    const anyPath = fc
      .array(fc.nat(2 ** 31 - 1), { minLength: 1, maxLength: 10 })
      .map((steps) => `m/${steps.map((step) => `${step}'`).join('/')}`)
    const message = Buffer.from('hello')
    fc.assert(
      fc.property(anySeed, anyPath, (seed, path) => {
        expect(stellarWalletKeys.refusePath(path)).toBeNull()
        const { address, privateKey } = stellarWalletKeys.derive(seed, path)
        const pair = Keypair.fromSecret(privateKey.reveal())
        expect(pair.publicKey()).toBe(address)
        expect(Keypair.fromPublicKey(address).verify(message, pair.sign(message))).toBe(true)
        expect(stellarWalletKeys.parse(privateKey)).toEqual({
          address,
          publicKey: address,
          privateKey: expect.any(Secret),
        })
      }),
      { numRuns: howMany(25, 500) },
    )
  })
})

describe('a private key', () => {
  test('of the SDK is read', () => {
    const pair = Keypair.random()
    expect(stellarWalletKeys.parse(new Secret(pair.secret()))?.address).toBe(pair.publicKey())
  })

  test('with any one character mistyped is not valid', () => {
    const secret = Keypair.random().secret()
    const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')
    fc.assert(
      fc.property(fc.nat(secret.length - 1), letters, (place, letter) => {
        fc.pre(secret[place] !== letter)
        expect(
          stellarWalletKeys.parse(new Secret(secret.slice(0, place) + letter + secret.slice(place + 1))),
        ).toBeNull()
      }),
      { numRuns: howMany(100, 2000) },
    )
  })

  test.each([
    ['nothing', ''],
    ['an address', Keypair.random().publicKey()],
    ['a seed in hex', 'ab'.repeat(32)],
    ['one in lower case', Keypair.random().secret().toLowerCase()],
    ['one with a trailing space', `${Keypair.random().secret()} `],
  ])('that is %s is not valid', (_what, text) => {
    expect(stellarWalletKeys.parse(new Secret(text))).toBeNull()
  })

  test('does not leak by accident', () => {
    const key = stellarWalletKeys.derive(new Uint8Array(64), "m/44'/148'/0'")
    expect(`${JSON.stringify(key)}${key.privateKey}`).not.toContain(key.privateKey.reveal())
  })
})

test.each([
  ["44'/148'/0'", 'begin with m/'],
  ["M/44'", 'begin with m/'],
  ['', 'begin with m/'],
  ['m', 'begin with m/'],
  [`m${"/1'".repeat(11)}`, 'at most 10 steps'],
  ["m/44'//0'", 'whole numbers'],
  ["m/44'/", 'whole numbers'],
  ["m/44'/2147483648'", 'no step of 2147483648'],
  ["m/44'/9999999999999999'", 'whole numbers'],
  ["m/44'/x'", 'whole numbers'],
  ["m/44'/-1'", 'whole numbers'],
  ['m/44h', 'whole numbers'],
  ["m/44'/148'/0", 'hardened'],
])('a derivation path "%s" is refused with a reason', (path, why) => {
  expect(stellarWalletKeys.refusePath(path)).toContain(why)
})
