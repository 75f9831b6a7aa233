import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import { mnemonicToAccount } from 'viem/accounts'
import { evmKeyDeriver } from './keyDeriver.ts'

// Public test phrases: the one of Hardhat and Anvil, and two of BIP-39's test vectors.
const phrases = [
  'test test test test test test test test test test test junk',
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  'void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group space point ten exist slush involve unfold',
]

describe('deposit addresses', () => {
  test.each(phrases)("of \"%s\" are those of m/44'/60'/1'/0/i", (phrase) => {
    const seed = mnemonicToSeedSync(phrase)
    for (const index of [0, 1, 2, 3, 99, 100, 65_536, 2 ** 31 - 1]) {
      const account = mnemonicToAccount(phrase, { path: `m/44'/60'/1'/0/${index}` })
      expect(evmKeyDeriver.deriveDeposit(seed, index)).toEqual({
        address: account.address.toLowerCase(),
        path: `m/44'/60'/1'/0/${index}`,
      })
    }
  })

  test("do not overlap with account 0, which is for the treasury's own wallets", () => {
    const phrase = phrases[0] as string
    const seed = mnemonicToSeedSync(phrase)
    const own = Array.from({ length: 20 }, (_, i) =>
      mnemonicToAccount(phrase, { addressIndex: i }).address.toLowerCase(),
    )
    // The well-known first address shows that the comparison uses account 0.
    expect(own[0]).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
    const deposits = Array.from({ length: 20 }, (_, i) => evmKeyDeriver.deriveDeposit(seed, i).address)
    expect(new Set([...own, ...deposits]).size).toBe(40)
  })

  test('do not depend on the order of derivation or the copy of the seed', () => {
    const seed = mnemonicToSeedSync(phrases[1] as string)
    const up = Array.from({ length: 10 }, (_, i) => evmKeyDeriver.deriveDeposit(seed, i))
    const down = Array.from({ length: 10 }, (_, i) =>
      evmKeyDeriver.deriveDeposit(Uint8Array.from(seed), 9 - i),
    ).reverse()
    expect(down).toEqual(up)
  })

  test('differ between seeds', () => {
    const [a, b] = phrases.map((phrase) => evmKeyDeriver.deriveDeposit(mnemonicToSeedSync(phrase), 0).address)
    expect(a).not.toBe(b)
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 32])('do not exist for index %d', (index) => {
    expect(() => evmKeyDeriver.deriveDeposit(mnemonicToSeedSync(phrases[0] as string), index)).toThrow()
  })

  test('end at the last index of a path, 2³¹ − 1', () => {
    expect(() => evmKeyDeriver.deriveDeposit(mnemonicToSeedSync(phrases[0] as string), 2 ** 31)).toThrow()
  })
})
