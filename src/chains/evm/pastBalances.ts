import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import type { PastBalances } from '../sending.ts'
import { quantity } from './refusals.ts'
import { hex } from './rpcTypes.ts'
import { balanceOfCall, wordOf } from './tokenCalls.ts'

/** Balances after a past block, by one node; null where it refuses to answer for that block. */
export async function pastBalancesBy(
  rpc: JsonRpc,
  address: string,
  contracts: readonly string[],
  height: number,
): Promise<PastBalances | null> {
  const block = hex(height)
  const native = await refusedAsNull(rpc.call('eth_getBalance', [address, block]))
  if (native === null) return null
  const tokens = await Promise.all(
    contracts.map(async (to) => {
      const answered = await refusedAsNull(
        rpc.call('eth_call', [{ to, data: balanceOfCall(address) }, block]),
      )
      // Not deployed at that block: the address had zero of it.
      return answered === '0x' ? 0n : wordOf(answered)
    }),
  )
  return { native: quantity(native, 'a balance'), tokens }
}

const refusedAsNull = (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch((error: unknown) => {
    if (error instanceof RpcError) return null
    throw error
  })
