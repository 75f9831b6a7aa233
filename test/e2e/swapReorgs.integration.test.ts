import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { rpc } from '../devnets/evm.ts'
import { sendOutside } from '../faults/evmPool.ts'
import { eventsOf } from '../faults/sending.ts'
import type { Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { allowedOf, execute, heldOf, newSwapper, type SwapBody, swapEnds, swapOf } from '../support/swaps.ts'
import { waitFor } from '../support/waitFor.ts'

/** A fork takes back blocks with a swap in them: the swap follows the chain. */

let stack: Stack
beforeAll(async () => {
  stack = await createStack({
    chains: ['ethereum'],
    processes: ['api', 'worker'],
    env: { TXMGR_BUMP_AFTER_MS: '60000' },
  })
})
afterAll(() => stack?.close())

const statusIs = (id: string, status: SwapBody['status']) =>
  waitFor(`a swap that is ${status}`, async () => {
    const body = await swapOf(stack, id)
    return body.status === status && body
  })
const isMined = (hash: string | null) =>
  waitFor('a transaction in a block', () =>
    stack
      .client()
      .getTransactionReceipt({ hash: hash as Hex })
      .catch(() => null),
  )

/** Sent, mined and as deep as required, but not final: what is final is not read again. */
async function confirmed(payer: Payer, status: SwapBody['status'] = 'confirmed'): Promise<SwapBody> {
  const { body } = await execute(stack, payer)
  expect(body).toMatchObject({ status: 'pending', success: true })
  await stack.mine(3)
  return statusIs(body.id, status)
}

/**
 * Replaces the blocks from the first one with a transaction of a swap; the node forgets the transactions in
 * them.
 */
async function fork({ steps }: SwapBody): Promise<void> {
  const receipts = await Promise.all(steps.map(({ txHash }) => isMined(txHash)))
  const first = Math.min(...receipts.map(({ blockNumber }) => Number(blockNumber)))
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [(await stack.height()) - first + 1, []])
}

const takeNonce = async (payer: Payer, nonce: number) =>
  sendOutside(stack, payer.privateKey as Hex, { to: payer.address as Address, nonce, value: 0n })
const usdcOf = ({ address }: Payer) => heldOf(stack, stack.devnet.usdc, address)
const usdtOf = ({ address }: Payer) => heldOf(stack, stack.devnet.usdt ?? '', address)

describe('a confirmed swap that a fork takes back', () => {
  test('is pending, then mined again in another block, and reported again', async () => {
    const payer = await newSwapper(stack)
    const before = await confirmed(payer)
    expect(before).toMatchObject({ amountReceived: '99.7', gasUsed: expect.any(String), allowanceLeft: null })
    await fork(before)
    expect(await usdtOf(payer)).toBe(0n)
    const pending = await statusIs(before.id, 'pending')
    expect(pending).toMatchObject({
      txHash: before.txHash,
      success: true,
      buyAmount: '99.7',
      allowanceLeft: null,
      blockHeight: null,
      reason: null,
    })
    expect(pending).not.toHaveProperty('amountReceived')
    const after = await swapEnds(stack, before.id)
    const same = {
      txHash: before.txHash,
      approvalTxHash: before.approvalTxHash,
      amountReceived: '99.7',
      gasUsed: before.gasUsed,
    }
    expect(after).toMatchObject({ status: 'confirmed', ...same, allowanceLeft: null })
    expect([await usdcOf(payer), await usdtOf(payer)]).toEqual([900_000_000n, 99_700_000n])
    await stack.idle()
    expect(await eventsOf(stack, before.id)).toEqual(['swap.confirmed', 'swap.confirmed'])
  })

  test('and whose nonce another transaction takes, expires: what its approval left allowed is shown', async () => {
    const payer = await newSwapper(stack)
    const before = await confirmed(payer)
    await fork(before)
    await statusIs(before.id, 'pending')
    await takeNonce(payer, 1)
    const after = await swapEnds(stack, before.id)
    expect(after).toMatchObject({
      status: 'expired',
      reason: 'sequence_used',
      allowanceLeft: '100',
      blockHeight: null,
    })
    expect(after).not.toHaveProperty('amountReceived')
    expect(after.steps.map(({ status }) => status)).toEqual(['confirmed', 'expired'])
    const approved = await isMined(after.approvalTxHash)
    expect(after.gasUsed).toBe(String(approved.gasUsed))
    expect([await usdcOf(payer), await usdtOf(payer)]).toEqual([1_000_000_000n, 0n])
    expect(await allowedOf(stack, stack.devnet.usdc, payer.address)).toBe(100_000_000n)
    await stack.idle()
    expect(await eventsOf(stack, before.id)).toEqual(['swap.confirmed', 'swap.expired'])
  })

  test('and whose approval lost its nonce, reverts: nothing was swapped, and nothing is left allowed', async () => {
    const payer = await newSwapper(stack)
    const before = await confirmed(payer)
    await fork(before)
    await statusIs(before.id, 'pending')
    await takeNonce(payer, 0)
    const after = await swapEnds(stack, before.id)
    expect(after).toMatchObject({ status: 'failed', reason: 'reverted', allowanceLeft: null })
    expect(after).not.toHaveProperty('amountReceived')
    expect(after.steps.map(({ status }) => status)).toEqual(['expired', 'failed'])
    const swapped = await isMined(after.txHash)
    expect(after.gasUsed).toBe(String(swapped.gasUsed))
    expect([await usdcOf(payer), await usdtOf(payer)]).toEqual([1_000_000_000n, 0n])
    expect(await allowedOf(stack, stack.devnet.usdc, payer.address)).toBe(0n)
    await stack.idle()
    expect(await eventsOf(stack, before.id)).toEqual(['swap.confirmed', 'swap.failed'])
  })
})

test('a swap that reverted and that a fork takes back is confirmed where it brings the minimum in its new block', async () => {
  const payer = await newSwapper(stack)
  const market = await rpc(stack.devnet.rpcUrl, 'eth_getCode', [stack.devnet.pool, 'latest'])
  const { body } = await execute(stack, payer)
  await rpc(stack.devnet.rpcUrl, 'anvil_setCode', [stack.devnet.pool, '0xfe'])
  await stack.mine(3)
  const before = await statusIs(body.id, 'failed')
  expect(before).toMatchObject({ reason: 'reverted', allowanceLeft: '100' })
  await fork(before)
  await rpc(stack.devnet.rpcUrl, 'anvil_setCode', [stack.devnet.pool, market])
  expect(await statusIs(before.id, 'pending')).toMatchObject({ reason: null, allowanceLeft: null })
  const after = await swapEnds(stack, before.id)
  expect(after).toMatchObject({
    status: 'confirmed',
    reason: null,
    amountReceived: '99.7',
    allowanceLeft: null,
  })
  await stack.idle()
  expect(await eventsOf(stack, before.id)).toEqual(['swap.failed', 'swap.confirmed'])
})
