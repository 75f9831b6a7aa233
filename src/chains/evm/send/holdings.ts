import { RpcError } from '../../providers/jsonRpc.ts'
import type { Holdings } from '../../sending.ts'
import { quantity } from '../refusals.ts'
import { hex, type RpcHeader } from '../rpcTypes.ts'
import { balanceOfCall, wordOf } from '../tokenCalls.ts'
import type { EvmSenderContext } from './senderContext.ts'

/**
 * Nonce and balances of an address at one block. The height is explicit, so that several nodes behind one URL
 * cannot mix states. Null where no provider answers.
 */
export async function holdingsOf(
  { providers }: EvmSenderContext,
  address: string,
  contracts: readonly string[],
): Promise<Holdings | null> {
  return providers.ask(async (rpc) => {
    const header = (await rpc.call('eth_getBlockByNumber', ['latest', false])) as RpcHeader | null
    const block = hex(Number(quantity(header?.number, 'the height of a block')))
    try {
      const [used, native, ...held] = await Promise.all([
        rpc.call('eth_getTransactionCount', [address, block]),
        rpc.call('eth_getBalance', [address, block]),
        ...contracts.map((to) => rpc.call('eth_call', [{ to, data: balanceOfCall(address) }, block])),
      ])
      const balances = contracts.map((contract, i) => [contract, wordOf(held[i])] as const)
      const tokens = new Map(balances.filter((each): each is [string, bigint] => each[1] !== null))
      return { used: quantity(used, 'a nonce'), native: quantity(native, 'a balance'), tokens }
    } catch (error) {
      if (error instanceof RpcError) return null
      throw error
    }
  })
}
