import { expect, test } from '@jest/globals'
import type { Intent } from '../txmgr/intents.ts'
import { presentSwap } from './presentSwap.ts'
import type { StoredSwap, SwapFacts } from './storedSwap.ts'

const side = { token: null, symbol: 'SOL', decimals: 9, amount: 1_000_000_000n }
const facts: SwapFacts = {
  id: '1',
  businessId: '2',
  provider: 'jupiter',
  approvals: ['3'],
  to: '11111111111111111111111111111112',
  sell: side,
  buy: side,
  minBuyAmount: 1n,
  slippageBps: 50,
  rent: 2_039_280n,
}
const intentOf = (status: Intent['status']) =>
  ({
    id: '1',
    chain: 'solana',
    status,
    action: { from: facts.to },
    txId: null,
    blockHeight: null,
    fee: null,
    gasUsed: null,
    nativeChange: null,
    received: null,
    held: false,
    reason: null,
    message: null,
    createdAt: new Date(),
    updatedAt: new Date(),
  }) as unknown as Intent
const swapOf = (status: Intent['status'], approval: Intent['status'] | null): StoredSwap => ({
  facts,
  intent: intentOf(status),
  approvals: approval === null ? [] : [intentOf(approval)],
  isTaken: true,
})

test.each([
  ['failed', 'confirmed', '1'],
  ['failed', 'broadcast', '1'],
  ['expired', 'confirmed', '1'],
  ['failed', 'failed', null],
  ['expired', 'expired', null],
  ['failed', null, null],
  ['broadcast', 'confirmed', null],
  ['confirmed', 'confirmed', null],
] as const)('%s after an approval that is %s: allowed %s', (status, approval, left) => {
  expect(presentSwap(swapOf(status, approval)).allowanceLeft).toBe(left)
})

test.each([
  ['signed', '0.00203928'],
  ['confirmed', '0.00203928'],
  ['failed', null],
  ['expired', null],
] as const)('rent of a swap that is %s: %s', (status, rent) => {
  expect(presentSwap(swapOf(status, null)).rent).toBe(rent)
})

test('its steps are in the order of their nonces, each with a status of its own', () => {
  const swap = swapOf('broadcast', 'confirmed')
  const reset = { ...intentOf('confirmed'), txId: '0x1' }
  const { steps, approvalTxHash } = presentSwap({
    ...swap,
    approvals: [reset, { ...intentOf('failed'), txId: '0x2' }],
  })
  expect(steps).toEqual([
    { type: 'reset_allowance', status: 'confirmed', txHash: '0x1' },
    { type: 'approve', status: 'failed', txHash: '0x2' },
    { type: 'swap', status: 'pending', txHash: null },
  ])
  expect(approvalTxHash).toBe('0x2')
  expect(presentSwap(swap).steps.map(({ type }) => type)).toEqual(['approve', 'swap'])
  expect(presentSwap(swapOf('broadcast', null)).steps.map(({ type }) => type)).toEqual(['swap'])
})
