import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { fromHex, tronAddress } from './address.ts'

/** Tether's contract: as Tronscan shows it, and as nodes return it. */
const usdt = {
  displayed: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  stored: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
}
const accounts = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => `41${Buffer.from(bytes).toString('hex')}`)

describe('a Tron address', () => {
  test('is accepted in both forms, stored in hex and displayed in base58check', () => {
    expect(tronAddress.normalise(usdt.displayed)).toBe(usdt.stored)
    expect(tronAddress.normalise(usdt.stored)).toBe(usdt.stored)
    expect(tronAddress.normalise(usdt.stored.toUpperCase())).toBe(usdt.stored)
    expect(tronAddress.display(usdt.stored)).toBe(usdt.displayed)
    expect(Buffer.from(tronAddress.bytes(usdt.stored)).toString('hex')).toBe(usdt.stored.slice(2))
  })

  test('is displayed and read as by tronweb', () => {
    fc.assert(
      fc.property(accounts, (stored) => {
        const displayed = utils.address.fromHex(stored)
        expect([
          tronAddress.display(stored),
          tronAddress.normalise(displayed),
          TronWeb.isAddress(displayed),
        ]).toEqual([displayed, stored, true])
      }),
    )
  })

  test('with any one character mistyped is rejected', () => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.nat(33), fc.integer({ min: 1, max: 57 }), (at, by) => {
        const other = alphabet[(alphabet.indexOf(usdt.displayed[at] ?? '') + by) % 58]
        expect(
          tronAddress.normalise(usdt.displayed.slice(0, at) + other + usdt.displayed.slice(at + 1)),
        ).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['an empty text', ''],
    ['an Ethereum address', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['hex without the prefix', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['hex with a prefix of another chain', 'a0a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['hex with 0x before it', '0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['a missing digit', '41a614f803b6fd780986a42c78ec9c7f77e6ded13'],
    ['a line break', `${usdt.displayed}\n`],
    ['a space', ` ${usdt.displayed}`],
    ['a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ])('%s is rejected', (_what, text) => {
    expect(tronAddress.normalise(text)).toBeNull()
  })

  test('is read from a log word, from twenty bytes, and from 21', () => {
    const twenty = usdt.stored.slice(2)
    for (const form of [
      twenty.padStart(64, '0'),
      twenty,
      usdt.stored,
      usdt.stored.toUpperCase(),
      `ff${twenty.padStart(62, '0')}`,
    ]) {
      expect(fromHex(form)).toBe(usdt.stored)
    }
  })
})
