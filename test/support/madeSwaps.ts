import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import type { Stack } from './stack.ts'
import { newSwapper, type SwapBody, swapBody } from './swaps.ts'

/**
 * Two swaps of a business's program, as no worker has seen them: one is on its way, one failed and left its allowance.
 * @returns their ids
 */
export async function makeSwaps(stack: Stack, businessId: string): Promise<{ swapId: string; failedSwapId: string }> {
  const wanted = { name: 'swaps', scope: 'write', environment: 'test', permissions: ['swaps:execute'], businessId } as const
  const key = (await createApiKey(stack, { ...wanted, permissions: [...wanted.permissions] })).reveal()
  const make = async () => {
    const body = swapBody(stack, await newSwapper(stack))
    const made = await stack.api<SwapBody>('POST', '/crypto/swaps/execute', body, { 'x-api-key': key })
    if (made.status !== 201) throw new Error(`no swap: ${made.status} ${JSON.stringify(made.body)}`)
    return made.body.id
  }
  const failedSwapId = await make()
  await stack.db.query(
    "update intents set status = 'confirmed', block_height = 7 where id = any((select approvals from swaps where id = $1)::uuid[])",
    [failedSwapId],
  )
  await stack.db.query("update intents set status = 'failed', reason = 'reverted', block_height = 8 where id = $1", [failedSwapId])
  return { swapId: await make(), failedSwapId }
}
