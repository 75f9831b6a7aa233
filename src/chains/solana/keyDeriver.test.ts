import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keypair } from '@solana/web3.js'
import { HDKey } from 'micro-key-producer/slip10.js'
import { solanaKeyDeriver } from './keyDeriver.ts'

/**
 * SLIP-0010, "Test vector 1 for ed25519" and "Test vector 2 for ed25519": first, second and last of each
 * chain.
 */
const vectors: readonly (readonly [string, string, string, string])[] = [
  [
    '000102030405060708090a0b0c0d0e0f',
    'm',
    '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
    'a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed',
  ],
  [
    '000102030405060708090a0b0c0d0e0f',
    "m/0'",
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
    '8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c',
  ],
  [
    '000102030405060708090a0b0c0d0e0f',
    "m/0'/1'/2'/2'/1000000000'",
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
    '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
  ],
  [
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    'm',
    '171cb88b1b3c1db25add599712e36245d75bc65a1a5c9e18d76f9f2b1eab4012',
    '8fe9693f8fa62a4305a140b9764c5ee01e455963744fe18204b4fb948249308a',
  ],
  [
    'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
    "m/0'/2147483647'/1'/2147483646'/2'",
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
    '47150c75db263559a70d5778bf36abbab30fb061ad69f69ece61a72b0cfa4fc0',
  ],
]

/** An independent SLIP-0010 for ed25519: the private key at a path of hardened steps. */
function slip10(seed: Uint8Array, path: string): Buffer {
  let node = createHmac('sha512', 'ed25519 seed').update(seed).digest()
  for (const [, step] of path.matchAll(/\/(\d+)'/g)) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(Number(step) + 2 ** 31)
    node = createHmac('sha512', node.subarray(32))
      .update(Buffer.concat([Buffer.of(0), node.subarray(0, 32), index]))
      .digest()
  }
  return node.subarray(0, 32)
}

const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const seed = mnemonicToSeedSync(phrase)
const addressAt = (path: string) => Keypair.fromSeed(slip10(seed, path)).publicKey.toBase58()

describe('ed25519 keys', () => {
  test.each(vectors)('of seed %s at %s match SLIP-0010', (hex, path, privateKey, publicKey) => {
    const found = HDKey.fromMasterSeed(Buffer.from(hex, 'hex')).derive(path)
    expect(Buffer.from(found.privateKey).toString('hex')).toBe(privateKey)
    expect(Buffer.from(found.publicKeyRaw).toString('hex')).toBe(publicKey)
    expect(slip10(Buffer.from(hex, 'hex'), path).toString('hex')).toBe(privateKey)
  })
})

describe('deposit addresses on Solana', () => {
  test.each([0, 1, 2, 99, 65_536, 2 ** 31 - 1])(
    "at index %d match web3.js at m/44'/501'/1'/0'/i'",
    (index) => {
      const path = `m/44'/501'/1'/0'/${index}'`
      expect(solanaKeyDeriver.deriveDeposit(seed, index)).toEqual({ address: addressAt(path), path })
    },
  )

  test('are never in account 0, where wallets keep the first address', () => {
    // Phantom, Solflare and solana-keygen show this for the phrase of BIP-39's first test vector.
    expect(addressAt("m/44'/501'/0'/0'")).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
    const own = Array.from({ length: 5 }, (_, index) => addressAt(`m/44'/501'/${index}'/0'`))
    const deposits = Array.from(
      { length: 5 },
      (_, index) => solanaKeyDeriver.deriveDeposit(seed, index).address,
    )
    expect(new Set([...own, ...deposits]).size).toBe(10)
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 31])('do not exist at index %d', (index) => {
    expect(() => solanaKeyDeriver.deriveDeposit(seed, index)).toThrow(RangeError)
  })
})
