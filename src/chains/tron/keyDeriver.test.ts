import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import { TronWeb, utils } from 'tronweb'
import { tronKeyDeriver } from './keyDeriver.ts'

// Public test phrases: that of Hardhat and Anvil, and one of BIP-39's test vectors.
const phrases = [
  'test test test test test test test test test test test junk',
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
]
const derive = (phrase: string, path: string) =>
  utils.address.toHex(TronWeb.fromMnemonic(phrase, path).address).toLowerCase()

describe('deposit addresses on Tron', () => {
  test.each(phrases)("of \"%s\" match tronweb at m/44'/195'/1'/0/i", (phrase) => {
    const seed = mnemonicToSeedSync(phrase)
    for (const index of [0, 1, 2, 99, 65_536, 2 ** 31 - 1]) {
      const path = `m/44'/195'/1'/0/${index}`
      expect(tronKeyDeriver.deriveDeposit(seed, index)).toEqual({ address: derive(phrase, path), path })
    }
  })

  test('are never in account 0, whose first address wallets show', () => {
    const seed = mnemonicToSeedSync(phrases[1] ?? '')
    const own = Array.from({ length: 10 }, (_, index) => derive(phrases[1] ?? '', `m/44'/195'/0'/0/${index}`))
    // tronweb's documentation and wallets show this for the phrase of BIP-39's first test vector.
    expect(TronWeb.fromMnemonic(phrases[1] ?? '').address).toBe('TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH')
    const deposits = Array.from(
      { length: 10 },
      (_, index) => tronKeyDeriver.deriveDeposit(seed, index).address,
    )
    expect(new Set([...own, ...deposits]).size).toBe(20)
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 31])('do not exist at index %d', (index) => {
    expect(() => tronKeyDeriver.deriveDeposit(mnemonicToSeedSync(phrases[0] ?? ''), index)).toThrow(
      RangeError,
    )
  })
})
