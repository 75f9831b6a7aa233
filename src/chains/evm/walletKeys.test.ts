import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { Secret } from '../../platform/secrets.ts'
import { evmWalletKeys } from './walletKeys.ts'

/** The default phrase and accounts of Hardhat and Foundry. */
const phrase = 'test test test test test test test test test test test junk'
const seed = mnemonicToSeedSync(phrase)
const accounts = [
  [
    '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  ],
  [
    '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  ],
] as const
/** The order of secp256k1 (SEC 2, 2.4.1). */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hexOf = (value: bigint): string => value.toString(16).padStart(64, '0')
const parse = (text: string) => evmWalletKeys.parse(new Secret(text))

describe('a key of an EVM wallet', () => {
  test.each([...accounts.entries()])(
    'is the one that wallets derive from the phrase for account %s',
    (index, [address, privateKey]) => {
      const key = evmWalletKeys.derive(seed, evmWalletKeys.defaultPath.replace(/0$/, String(index)))
      expect(key).toMatchObject({ address, publicKey: privateKeyToAccount(privateKey).publicKey })
      expect(key.privateKey.reveal()).toBe(privateKey)
    },
  )

  test('on any allowed path is the one that viem derives', () => {
    const step = fc
      .tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.boolean())
      .map(([index, hardened]) => `${index}${hardened ? "'" : ''}`)
    const paths = fc
      .array(step, { minLength: 1, maxLength: 4 })
      .map((steps) => `m/${steps.join('/')}` as `m/44'/60'/${string}`)
    fc.assert(
      fc.property(paths, (path) => {
        expect(evmWalletKeys.refusePath(path)).toBeNull()
        expect(evmWalletKeys.derive(seed, path).address).toBe(
          mnemonicToAccount(phrase, { path }).address.toLowerCase(),
        )
      }),
      { numRuns: 15 },
    )
  })

  test.each(["m/44'/60'/0'/0/0", 'm/0', 'm/2147483647', "m/1/2/3/4/5/6/7/8/9/10'"])(
    'may have the path %s',
    (path) => {
      expect(evmWalletKeys.refusePath(path)).toBeNull()
    },
  )

  test.each([
    '',
    'm',
    'm/',
    '44/60',
    'M/0',
    'm//0',
    'm/0/',
    'm/-1',
    'm/+1',
    'm/1.5',
    'm/0x1',
    'm/01',
    'm/0h',
    "m/0''",
    'm/2147483648',
    'm/9999999999',
    'm/99999999999999999999',
    'm/1/2/3/4/5/6/7/8/9/10/11',
    ' m/0',
    'm/0\n',
  ])('may not have the path %j', (path) => {
    expect(evmWalletKeys.refusePath(path)).toEqual(expect.stringMatching(/^must /))
  })

  test('is read with and without 0x, in any case, and returned in one form', () => {
    const [address, privateKey] = accounts[0]
    for (const text of [
      privateKey,
      privateKey.slice(2),
      privateKey.toUpperCase().replace('0X', '0x'),
      privateKey.slice(2).toUpperCase(),
    ]) {
      const key = parse(text)
      expect(key?.address).toBe(address)
      expect(key?.privateKey.reveal()).toBe(privateKey)
    }
  })

  test("has the address and public key of viem for any number below the curve's order", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: order - 1n }), (secret) => {
        const { address, publicKey } = privateKeyToAccount(`0x${hexOf(secret)}` as Hex)
        expect(parse(hexOf(secret))).toMatchObject({ address: address.toLowerCase(), publicKey })
      }),
      { numRuns: 20 },
    )
    expect(parse(hexOf(1n))?.address).toBe('0x7e5f4552091a69125d5dfcb7b8c2659029395bdf')
  })

  test.each([
    ['zero', hexOf(0n)],
    ['the order of the curve', hexOf(order)],
    ['a number above the order', hexOf(2n ** 256n - 1n)],
    ['one digit too few', hexOf(5n).slice(1)],
    ['one digit too many', `${hexOf(5n)}0`],
    ['a letter that is not a hex digit', `${hexOf(5n).slice(1)}g`],
    ['spaces around it', ` ${hexOf(5n)}`],
    ['an empty text', ''],
    ['a phrase', phrase],
  ])('is not read from %s', (_what, text) => {
    expect(parse(text)).toBeNull()
  })

  test('is not printed', () => {
    const key = parse(accounts[0][1])
    for (const text of [inspect(key, { depth: 9 }), JSON.stringify(key), String(key?.privateKey)])
      expect(text).not.toContain(accounts[0][1].slice(2))
  })
})
