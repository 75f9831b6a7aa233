import { expect, test } from '@jest/globals'
import { costInBand, expectedCost, returnedInBand } from './partnerCost.ts'

// 16100 at 1610: 10 dollars.
const price = { localAmount: 16_100n, localFee: '0', rate: '1610', rateAt: null, rateSource: null }
const cost = (amountUsd: string | null, feeUsd: string | null = '0.1') =>
  costInBand({ amountUsd, feeUsd }, price)

test('a cost in the band around the price is taken, with its fee, rounded up', () => {
  expect(expectedCost(price)).toBe(10_000_000n)
  expect(cost('10')).toBe(10_100_000n)
  expect(cost('9.0000001', null)).toBe(9_000_001n)
  expect(cost('11.01', '0.8')).toBe(11_810_000n)
})

test('an amount or a fee outside the band is not taken, and zero is outside', () => {
  for (const amount of ['5000', '0', '-10', '8.98', '11.02', '100', null]) expect(cost(amount)).toBeNull()
  for (const fee of ['70', '0.81', '-0.1']) expect(cost('10', fee)).toBeNull()
})

test('a payout of a few cents may be rounded to the next cent, and not to nothing', () => {
  const tiny = { ...price, localAmount: 1n }
  expect(costInBand({ amountUsd: '0.01', feeUsd: '0.01' }, tiny)).toBe(20_000n)
  expect(costInBand({ amountUsd: '0', feeUsd: '0' }, tiny)).toBeNull()
})

test('what a bank returns is at most what the partner took', () => {
  expect(returnedInBand({ amountUsd: '10', feeUsd: '0.1' }, price, 10_100_000n)).toBe(10_000_000n)
  expect(returnedInBand({ amountUsd: '10.5', feeUsd: '0.1' }, price, 10_100_000n)).toBeNull()
  for (const amountUsd of ['0', '5000', '1', null])
    expect(returnedInBand({ amountUsd, feeUsd: null }, price, 10_100_000n)).toBeNull()
})
