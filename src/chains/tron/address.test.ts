import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { TronWeb, utils } from 'tronweb'
import { fromHex, tronAddress } from './address.ts'

/** Tether's contract, as TRON's own explorer shows it, and in the form that nodes tell. */
const usdt = { shown: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', kept: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c' }
const accounts = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `41${Buffer.from(bytes).toString('hex')}`)

describe('an address of Tron', () => {
  test('is taken as people write it and as nodes do, kept as nodes do, and shown as people write it', () => {
    expect(tronAddress.normalise(usdt.shown)).toBe(usdt.kept)
    expect(tronAddress.normalise(usdt.kept)).toBe(usdt.kept)
    expect(tronAddress.normalise(usdt.kept.toUpperCase())).toBe(usdt.kept)
    expect(tronAddress.display(usdt.kept)).toBe(usdt.shown)
    expect(Buffer.from(tronAddress.bytes(usdt.kept)).toString('hex')).toBe(usdt.kept.slice(2))
  })

  test('is shown and read as the public library does', () => {
    fc.assert(
      fc.property(accounts, (kept) => {
        const shown = utils.address.fromHex(kept)
        expect([tronAddress.display(kept), tronAddress.normalise(shown), TronWeb.isAddress(shown)]).toEqual([shown, kept, true])
      }),
    )
  })

  test('with any one character mistyped is none', () => {
    const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
    fc.assert(
      fc.property(fc.nat(33), fc.integer({ min: 1, max: 57 }), (at, by) => {
        const other = alphabet[(alphabet.indexOf(usdt.shown[at] ?? '') + by) % 58]
        expect(tronAddress.normalise(usdt.shown.slice(0, at) + other + usdt.shown.slice(at + 1))).toBeNull()
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['nothing', ''],
    ['an address of Ethereum', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['hex without the prefix', 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['hex with a prefix of another chain', 'a0a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['hex with 0x before it', '0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['one digit too few', '41a614f803b6fd780986a42c78ec9c7f77e6ded13'],
    ['a line end', `${usdt.shown}\n`],
    ['a space', ` ${usdt.shown}`],
    ['a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ])('%s is none', (_what, text) => {
    expect(tronAddress.normalise(text)).toBeNull()
  })

  test('is read out of a word of a log, out of twenty bytes, and out of 21', () => {
    const twenty = usdt.kept.slice(2)
    for (const form of [twenty.padStart(64, '0'), twenty, usdt.kept, usdt.kept.toUpperCase(), `ff${twenty.padStart(62, '0')}`]) {
      expect(fromHex(form)).toBe(usdt.kept)
    }
  })
})
