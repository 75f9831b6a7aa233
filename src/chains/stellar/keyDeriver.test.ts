import { describe, expect, test } from '@jest/globals'
import { mnemonicToSeedSync } from '@scure/bip39'
import { Keypair } from '@stellar/stellar-sdk/base'
import { howMany } from '../../../test/support/full.ts'
import { unmuxed } from './address.ts'
import { depositAccount, depositAccountPath, stellarKeyDeriver } from './keyDeriver.ts'

/** SEP-5, "Test cases": the phrase and its account 1, the account of deposits. */
const vectors = [
  {
    phrase: 'illness spike retreat truth genius clock brain pass fit cave bargain toe',
    account: 'GBAW5XGWORWVFE2XTJYDTLDHXTY2Q2MO73HYCGB3XMFMQ562Q2W2GJQX',
    secret: 'SCEPFFWGAG5P2VX5DHIYK3XEMZYLTYWIPWYEKXFHSK25RVMIUNJ7CTIS',
  },
]
const seed = mnemonicToSeedSync(vectors[0]?.phrase ?? '')
const idOf = (index: number, under: Uint8Array = seed) =>
  unmuxed(stellarKeyDeriver.deriveDeposit(under, index).address).id

describe('the account of deposits', () => {
  test.each(vectors)('of "$phrase" is account 1 of SEP-5, with its key', ({ phrase, account, secret }) => {
    const { privateKey } = depositAccount(mnemonicToSeedSync(phrase))
    const pair = Keypair.fromRawEd25519Seed(Buffer.from(privateKey))
    expect([pair.publicKey(), pair.secret()]).toEqual([account, secret])
    expect(depositAccountPath).toBe("m/44'/148'/1'")
  })

  test('is the same for every index and every address', () => {
    for (const index of [0, 1, 99, 2 ** 31 - 1]) {
      const { address, path } = stellarKeyDeriver.deriveDeposit(seed, index)
      expect([unmuxed(address).account, path]).toEqual([vectors[0]?.account, `m/44'/148'/1'#${index}`])
    }
  })
})

describe('the id of a deposit', () => {
  // Ids that customers were given must stay valid in every later version: these are from the first one.
  test.each([
    [0, 3750756273648498n],
    [1, 4263046655290187n],
    [2 ** 31 - 1, 4253226467649089n],
  ])('of index %d never changes', (index, id) => {
    expect(idOf(index)).toBe(id)
  })

  test('is unique for each index, below 2⁵², and never zero', () => {
    const count = howMany(5000, 100_000)
    const ids = new Set<bigint>()
    for (let index = 0; index < count; index++) ids.add(idOf(index))
    expect(ids.size).toBe(count)
    for (const id of ids) if (id <= 0n || id >= 2n ** 52n) throw new Error(`the id ${id}`)
  }, 300_000)

  test('does not resemble the id of the previous index: ids spread over all 52 bits', () => {
    const ids = Array.from({ length: 500 }, (_, index) => idOf(index))
    const perBit = Array.from({ length: 52 }, (_, bit) => ids.filter((id) => (id >> BigInt(bit)) & 1n).length)
    // Half of 500 each; a fair coin deviates by five standard deviations about once in two million cases.
    for (const count of perBit) expect(Math.abs(count - 250)).toBeLessThan(56)
  })

  test('differs under another seed', () => {
    expect(
      idOf(
        0,
        Uint8Array.from(seed, (byte) => byte ^ 1),
      ),
    ).not.toBe(idOf(0))
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 31])('does not exist for index %d', (index) => {
    expect(() => stellarKeyDeriver.deriveDeposit(seed, index)).toThrow(RangeError)
  })
})
