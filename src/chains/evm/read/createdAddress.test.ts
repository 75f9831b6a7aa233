import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { getContractAddress } from 'viem/utils'
import { createdAddress } from './createdAddress.ts'

test('a created contract has the address that viem computes', () => {
  const sender = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)
  const nonce = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
  fc.assert(
    fc.property(sender, nonce, (from, number) => {
      expect(createdAddress(from, `0x${number.toString(16)}`)).toBe(
        getContractAddress({ from, nonce: number }).toLowerCase(),
      )
    }),
    {
      examples: [
        [`0x${'00'.repeat(20)}`, 0n],
        [`0x${'ff'.repeat(20)}`, 127n],
        [`0x${'01'.repeat(20)}`, 128n],
      ],
    },
  )
})

test.each([
  ['0x12', '0x1'],
  [`0x${'zz'.repeat(20)}`, '0x1'],
  [`0x${'01'.repeat(20)}`, '0x'],
  [`0x${'01'.repeat(20)}`, '12'],
  [`0x${'01'.repeat(20)}`, `0x1${'00'.repeat(8)}`],
])('sender %s and nonce %s are refused', (from, nonce) => {
  expect(() => createdAddress(from, nonce)).toThrow(/is not/)
})
