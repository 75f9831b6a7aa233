import { expect, test } from '@jest/globals'
import type { PaymentSettings } from '../types.ts'
import { acceptedCells, acceptedOf, offeredTokens } from './accepted.ts'

const networks: PaymentSettings['networks'] = [
  {
    chain: 'ethereum',
    tokens: [
      { token: 'USDC', accepted: true },
      { token: 'USDT', accepted: false },
    ],
  },
  { chain: 'stellar', tokens: [{ token: 'USDC', accepted: false }] },
  { chain: 'tron', tokens: [{ token: 'USDT', accepted: true }] },
]

test('saved choices are shown as they were', () => {
  expect(acceptedOf(networks, acceptedCells(networks))).toEqual([
    { chain: 'ethereum', tokens: ['USDC'] },
    { chain: 'tron', tokens: ['USDT'] },
  ])
})

test('networks and tokens that the deployment does not offer are never requested', () => {
  expect(acceptedOf(networks, new Set(['stellar/USDT', 'solana/USDC', 'stellar/USDC']))).toEqual([
    { chain: 'stellar', tokens: ['USDC'] },
  ])
})

test('each token is one column', () => expect(offeredTokens(networks)).toEqual(['USDC', 'USDT']))
