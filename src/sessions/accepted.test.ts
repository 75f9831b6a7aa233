import { expect, test } from '@jest/globals'
import { knownChain } from '../chains/registry.ts'
import { confirmedWorth, isStillAccepted } from './accepted.ts'
import type { Payment } from './settle.ts'

const chains = ['ethereum', 'bsc', 'polygon'].flatMap((name) => knownChain(name) ?? [])
const pay = (
  chain: string,
  token: string,
  amount: bigint,
  status: Payment['status'] = 'confirmed',
): Payment => ({
  ...{ detectionId: 'd', chain, token, amount, status, generation: 1, last: null },
  blockTime: new Date(),
})
const session = { chain: 'ethereum', token: 'USDC', amountAccepted: null }

test('a stablecoin unit counts for a stablecoin unit, on each chain with its own decimals; a part of the smallest unit is dropped', () => {
  const payments = [
    pay('ethereum', 'USDC', 1_000_000n),
    pay('ethereum', 'USDT', 2_000_000n),
    pay('bsc', 'USDC', 3_000_000_999_999_999_999n),
  ]
  expect(confirmedWorth({ chains }, session, payments)).toBe(6_000_000n)
  expect(confirmedWorth({ chains }, { chain: 'bsc', token: 'USDT' }, payments)).toBe(
    6_000_000_999_999_999_999n,
  )
})

test('what is only seen, or was taken back, counts for nothing, and neither do coins and bridged tokens', () => {
  const payments = [pay('ethereum', 'ETH', 10n ** 18n), pay('polygon', 'USDC.e', 5_000_000n)]
  for (const status of ['seen', 'reverted'] as const)
    payments.push(pay('ethereum', 'USDC', 1_000_000n, status))
  expect(confirmedWorth({ chains }, session, payments)).toBe(0n)
})

test('what was accepted holds while all of it is there', () => {
  const accepted = { ...session, amountAccepted: '3000000' }
  const [one, two] = [pay('ethereum', 'USDC', 1_000_000n), pay('ethereum', 'USDT', 2_000_000n)]
  expect(isStillAccepted({ chains }, session, [one, two])).toBe(false)
  expect(isStillAccepted({ chains }, accepted, [one, two])).toBe(true)
  expect(isStillAccepted({ chains }, accepted, [one, { ...two, status: 'reverted' }])).toBe(false)
  expect(isStillAccepted({ chains }, accepted, [one, two, one])).toBe(true)
})
