import { expect, test } from '@jest/globals'
import { feeTexts, receivedTexts, takenTexts } from './batchLabels.ts'

test('the totals of a batch are grouped, and exact beyond what a float holds', () => {
  const totals = {
    taken: [{ amount: '16100.5', token: 'USDC', chain: 'base' }],
    received: [{ amount: '24750000', fee: '9007199254740993.25', currency: 'NGN' }],
  } as Parameters<typeof takenTexts>[0]
  expect([takenTexts(totals), receivedTexts(totals), feeTexts(totals)]).toEqual([
    ['16,100.5 USDC on Base'],
    ['24,750,000 NGN'],
    ['9,007,199,254,740,993.25 NGN'],
  ])
})
