import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { getAddress } from 'viem/utils'
import { evmAddress } from './address.ts'

/** Examples of EIP-55. */
const checksummed = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

describe('an EVM address', () => {
  test.each(checksummed)(
    '%s is accepted with its checksum or in lower case, stored in lower case, and shown with its checksum',
    (address) => {
      const kept = address.toLowerCase()
      expect(evmAddress.normalise(address)).toBe(kept)
      expect(evmAddress.normalise(kept)).toBe(kept)
      expect(evmAddress.display(kept)).toBe(address)
      expect(Buffer.from(evmAddress.bytes(kept)).toString('hex')).toBe(kept.slice(2))
    },
  )

  test('with one letter in the wrong case is refused as a typing error', () => {
    for (const address of checksummed) {
      for (let at = 2; at < address.length; at++) {
        const letter = address[at] as string
        if (!/[a-f]/i.test(letter)) continue
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
        expect(evmAddress.normalise(address.slice(0, at) + other + address.slice(at + 1))).toBeNull()
      }
    }
  })

  test('is shown as viem shows it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const kept = `0x${Buffer.from(bytes).toString('hex')}`
        expect(evmAddress.display(kept)).toBe(getAddress(kept))
      }),
    )
  })

  test('that was shown lately costs no hash, and is shown the same after many others', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `0x${n.toString(16).padStart(40, 'a')}`)
    const cpuOf = (addresses: readonly string[]) => {
      const before = process.threadCpuUsage()
      for (const address of addresses) evmAddress.display(address)
      const { user, system } = process.threadCpuUsage(before)
      return user + system
    }
    const first = evmAddress.display(many[0] as string)
    const others = cpuOf(many)
    expect(evmAddress.display(many[0] as string)).toBe(first)
    expect(cpuOf(many.map(() => many[1] as string))).toBeLessThan(others / 4)
  })

  test('round-trips through its shown form', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const kept = `0x${Buffer.from(bytes).toString('hex')}`
        const shown = evmAddress.display(kept)
        expect(evmAddress.normalise(shown)).toBe(kept)
        expect(evmAddress.bytes(kept)).toEqual(bytes)
      }),
    )
  })

  test.each([
    ['an empty text', ''],
    ['no prefix', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a prefix in upper case', '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['one digit too few', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae'],
    ['one digit too many', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaedd'],
    ['a letter that is not a hex digit', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg'],
    ['a space', ' 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['a line feed at the end', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n'],
    ['an address of another family', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['a name', 'vitalik.eth'],
    ['a transaction id', `0x${'12'.repeat(32)}`],
  ])('%s is refused', (_what, text) => {
    expect(evmAddress.normalise(text)).toBeNull()
  })
})
