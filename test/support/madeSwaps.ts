import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { allowanceHolder } from '../devnets/evm.ts'
import { sendOutside } from '../faults/evmPool.ts'
import type { Payer } from './payers.ts'
import type { Stack } from './stack.ts'
import { newSwapper, type SwapBody, swapBody } from './swaps.ts'

/**
 * Two swaps of a business's program, as no worker has seen them: one is on its way; one of USDT, in three
 * transactions, failed and left its allowance.
 * @returns their ids
 */
export async function makeSwaps(
  stack: Stack,
  businessId: string,
): Promise<{ swapId: string; failedSwapId: string }> {
  const wanted = {
    name: 'swaps',
    scope: 'write',
    environment: 'test',
    permissions: ['swaps:execute'],
    businessId,
  } as const
  const key = (await createApiKey(stack, { ...wanted, permissions: [...wanted.permissions] })).reveal()
  const make = async (payer: Payer, more: object = {}) => {
    const body = swapBody(stack, payer, more)
    const made = await stack.api<SwapBody>('POST', '/crypto/swaps/execute', body, { 'x-api-key': key })
    if (made.status !== 201) throw new Error(`no swap: ${made.status} ${JSON.stringify(made.body)}`)
    return made.body.id
  }
  const ofUsdt = await newSwapper(stack, { native: '10', USDT: '1000' })
  await allowSome(stack, ofUsdt)
  const failedSwapId = await make(ofUsdt, { sellToken: stack.devnet.usdt, buyToken: stack.devnet.usdc })
  await stack.db.query(
    "update intents set status = 'confirmed', block_height = 7 where id = any((select approvals from swaps where id = $1)::uuid[])",
    [failedSwapId],
  )
  await stack.db.query(
    "update intents set status = 'failed', reason = 'reverted', block_height = 8 where id = $1",
    [failedSwapId],
  )
  return { swapId: await make(await newSwapper(stack)), failedSwapId }
}

/** Less than a swap needs, so that USDT wants the allowance at zero first. */
export async function allowSome(stack: Stack, { privateKey }: Payer): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [allowanceHolder, 5n] })
  await sendOutside(stack, privateKey as Hex, {
    to: stack.devnet.usdt as Address,
    nonce: 0,
    data,
    value: 0n,
    gas: 100_000n,
  })
  await stack.mine(1)
}
