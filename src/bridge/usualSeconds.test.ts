import { expect, test } from '@jest/globals'
import { registeredChain } from '../chains/registry.ts'
import { secondsToSign, usualSeconds } from './usualSeconds.ts'

const [ethereum, base, arbitrum, polygon] = ['ethereum', 'base', 'arbitrum', 'polygon'].map(
  registeredChain,
) as [never, never, never, never]

test('a fast transfer takes until burn and mint are confirmed: 12 blocks on ethereum and base, 30 on arbitrum', () => {
  expect([
    usualSeconds(ethereum, base, 'fast'),
    usualSeconds(base, ethereum, 'fast'),
    usualSeconds(arbitrum, base, 'fast'),
  ]).toEqual([168, 168, 32])
  expect([usualSeconds(ethereum, base, 'standard'), usualSeconds(polygon, base, 'standard')]).toEqual([
    1044, 34,
  ])
})

test('Circle is queried when it has usually signed, counted from the burn', () => {
  expect([
    secondsToSign(ethereum, 'fast'),
    secondsToSign(base, 'fast'),
    secondsToSign(ethereum, 'standard'),
  ]).toEqual([0, 0, 876])
})
