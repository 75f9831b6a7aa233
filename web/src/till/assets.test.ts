import { expect, test } from '@jest/globals'
import { assetsOf, firstAsset } from './assets.ts'

const assets = assetsOf({
  networks: [
    { chain: 'tron', tokens: ['USDT'], ready: false, delayedSince: null },
    { chain: 'base', tokens: ['USDC'], ready: true, delayedSince: '2026-11-30T00:00:00Z' },
    { chain: 'solana', tokens: ['USDC', 'USDT'], ready: true, delayedSince: null },
  ],
})

test('each token on each network can be chosen, by its name', () => {
  expect(assets.map(({ label }) => label)).toEqual([
    'USDT on Tron (TRC-20)',
    'USDC on Base',
    'USDC on Solana',
    'USDT on Solana',
  ])
})

test('the remembered one is the default, unless it is gone or not ready', () => {
  expect(firstAsset(assets, 'solana/USDT')?.key).toBe('solana/USDT')
  expect(firstAsset(assets, 'tron/USDT')?.key).toBe('base/USDC')
  expect(firstAsset(assets, 'polygon/USDC')?.key).toBe('base/USDC')
  expect(firstAsset(assets, null)?.key).toBe('base/USDC')
  expect(firstAsset([], null)).toBeUndefined()
})
