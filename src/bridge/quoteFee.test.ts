import { describe, expect, test } from '@jest/globals'
import type { BurnFee } from './attestations.ts'
import { quoteFee } from './quoteFee.ts'

const fees: BurnFee[] = [
  { finality: 1000, basisPoints: '1.3', forwardFee: 110_000n },
  { finality: 2000, basisPoints: '0', forwardFee: 110_000n },
]
const wanted = { amount: 250_000_001n, speed: 'fast', automatic: false, minFee: 0n } as const

describe('the fee', () => {
  test('is rounded up, and its maximum is a fifth more, rounded up', () => {
    // 250.000001 USDC at 1.3 basis points are 32,500.00013 units.
    expect(quoteFee(fees, wanted)).toEqual({ fee: 32_501n, maxFee: 39_002n })
  })
  test('of an automatic transfer has that of the mint', () => {
    expect(quoteFee(fees, { ...wanted, automatic: true })).toEqual({ fee: 142_501n, maxFee: 171_002n })
    expect(quoteFee(fees, { ...wanted, speed: 'standard', automatic: true })).toEqual({
      fee: 110_000n,
      maxFee: 132_000n,
    })
  })
  test('is nothing for a standard transfer, unless the contract takes one', () => {
    expect(quoteFee(fees, { ...wanted, speed: 'standard' })).toEqual({ fee: 0n, maxFee: 0n })
    expect(quoteFee(fees, { ...wanted, speed: 'standard', minFee: 25n })).toEqual({ fee: 0n, maxFee: 25n })
  })
  test('does not exist where Circle has no fee of it', () => {
    expect(quoteFee(fees.slice(1), wanted)).toBe('fast_not_available')
    expect(
      quoteFee([{ finality: 1000, basisPoints: '1', forwardFee: null }], { ...wanted, automatic: true }),
    ).toBe('automatic_not_available')
  })
})
