import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import fc from 'fast-check'
import { utils } from 'tronweb'
import { Secret } from '../../platform/secrets.ts'
import { tronAddress } from './address.ts'
import { tronWalletKeys } from './walletKeys.ts'

const mnemonic =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const seed = mnemonicToSeedSync(mnemonic)
const { defaultPath, derive, parse, refusePath } = tronWalletKeys
const curveOrder = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'

describe('a derived key', () => {
  test.each([defaultPath, "m/44'/195'/7'/1/2147483647", "m/44'/195'"])('matches tronweb at %s', (path) => {
    const { address, privateKey, publicKey } = derive(seed, path)
    const theirs = utils.accounts.generateAccountWithMnemonic(mnemonic, path)
    expect(tronAddress.display(address)).toBe(theirs.address)
    expect(`0x${privateKey.reveal()}`).toBe(theirs.privateKey)
    expect(`0x${publicKey}`).toBe(theirs.publicKey)
  })

  // BIP-32, test vector 1: the private key at m/0'/1, from the BIP's extended key.
  test('may be at a path of any coin, as in BIP-32', () => {
    const vector = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
    expect(derive(vector, "m/0'/1").privateKey.reveal()).toBe(
      '3c6cb8d0f6a264c91ea8b5030fadaa8e538b020f0a387421a12de9319dc93368',
    )
  })

  test('shows only its address and public key when printed', () => {
    const key = derive(seed, defaultPath)
    for (const shown of [JSON.stringify(key), inspect(key, { depth: 9 })])
      expect(shown).not.toContain(key.privateKey.reveal())
  })
})

describe('a derivation path', () => {
  test.each([defaultPath, 'm/0', "m/44'/60'/0'/0/0", `m${"/1'".repeat(10)}`])('%s is accepted', (path) => {
    expect(refusePath(path)).toBeNull()
    expect(derive(seed, path).address).toMatch(/^41[0-9a-f]{40}$/)
  })

  test.each([
    '',
    'm',
    'm/',
    '44/195',
    "m/44'/195'/0'/0/2147483648",
    'm/-1',
    'm/1.5',
    "m/1''",
    'm/x',
    'm//1',
    'm/01',
    `m${'/1'.repeat(11)}`,
  ])('"%s" is refused with a reason', (path) => {
    expect(refusePath(path)).toMatch(/^must /)
  })
})

describe('a private key', () => {
  test('of any tronweb account is read, with or without 0x, to the same address and key', () => {
    for (let i = 0; i < 10; i++) {
      const { privateKey, publicKey, address } = utils.accounts.generateAccount()
      for (const text of [privateKey, `0x${privateKey}`, privateKey.toLowerCase()]) {
        const key = parse(new Secret(text))
        expect(key?.address).toBe(address.hex.toLowerCase())
        expect([key?.privateKey.reveal(), key?.publicKey]).toEqual([
          privateKey.toLowerCase(),
          publicKey.toLowerCase(),
        ])
      }
    }
  })

  test.each([
    '',
    '0x',
    '1'.repeat(63),
    '1'.repeat(65),
    'g'.repeat(64),
    '0'.repeat(64),
    curveOrder,
    'f'.repeat(64),
    mnemonic,
  ])('"%s" is rejected', (text) => {
    expect(parse(new Secret(text))).toBeNull()
  })

  test('is not read from arbitrary text, without an error', () => {
    fc.assert(fc.property(fc.string(), (text) => parse(new Secret(text)) === null))
  })
})
