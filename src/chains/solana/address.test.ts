import { describe, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { isSolanaSignature, solanaAddress } from './address.ts'

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
// Mints of Circle and Tether, the token program, and the shortest address (32 zero bytes).
const known = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  '11111111111111111111111111111111',
]

describe('a Solana address', () => {
  test.each(known)('%s is stored and displayed unchanged', (address) => {
    expect([solanaAddress.normalise(address), solanaAddress.display(address)]).toEqual([address, address])
  })

  test('is what web3.js writes for a key, and has exactly 32 bytes', () => {
    fc.assert(
      fc.property(keys, (bytes) => {
        const address = new PublicKey(bytes).toBase58()
        expect(solanaAddress.normalise(address)).toBe(address)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        expect(solanaAddress.normalise(base58.encode(bytes)) !== null).toBe(bytes.length === 32)
      }),
    )
  })

  test('has match bytes of constant length, distinct also if one address is a prefix of another', () => {
    const bytes = [...known, '1'.repeat(31), 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1'].map((each) =>
      Buffer.from(solanaAddress.bytes(each)).toString('hex'),
    )
    expect(new Set(bytes).size).toBe(known.length + 2)
    expect(new Set(bytes.map((each) => each.length))).toEqual(new Set([88]))
  })

  test.each([
    ['an empty text', ''],
    ['a character outside base58', `${known[0]?.slice(0, -1)}0`],
    ['a key with an extra digit', `${known[0]}1`],
    ['a space', ` ${known[0]}`],
    ['a line break', `${known[0]}\n`],
    ['a Tron address', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['an Ethereum address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a signature', base58.encode(Buffer.alloc(64, 7))],
  ])('%s is rejected', (_what, text) => {
    expect(solanaAddress.normalise(text)).toBeNull()
  })

  test('is not decoded from a very long text: it is rejected at once', () => {
    const began = process.cpuUsage()
    expect(solanaAddress.normalise('z'.repeat(1_000_000))).toBeNull()
    expect(isSolanaSignature('z'.repeat(1_000_000))).toBe(false)
    expect(process.cpuUsage(began).user).toBeLessThan(300_000)
  })
})

test('a signature is 64 bytes in base58', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 60, maxLength: 68 }), (bytes) => {
      expect(isSolanaSignature(base58.encode(bytes))).toBe(bytes.length === 64)
    }),
  )
  expect(isSolanaSignature(`0x${'ab'.repeat(32)}`)).toBe(false)
})
