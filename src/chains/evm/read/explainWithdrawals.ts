import type { TransactionFacts } from '../../chain.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import { soundHeaderOf } from './header.ts'
import type { EvmReaderContext } from './readerContext.ts'
import { type PayingHeader, withdrawalsOf } from './withdrawals.ts'

/** The withdrawals of a block; null where the chain has no block with this id, or it pays no withdrawals. */
export async function explainWithdrawals(
  { rules }: EvmReaderContext,
  rpc: JsonRpc,
  blockId: string,
): Promise<TransactionFacts | null> {
  const block = (await rpc.call('eth_getBlockByHash', [blockId, false]).catch((error: unknown) => {
    if (error instanceof RpcError && error.isUnsupported) return null
    throw error
  })) as PayingHeader | null
  if (!block?.withdrawals?.length) return null
  // Nodes may also return blocks of abandoned forks by hash.
  const atHeight = (await rpc.call('eth_getBlockByNumber', [block.number, false])) as PayingHeader | null
  if (atHeight?.hash !== blockId || block.hash !== blockId) return null
  return sound(() => ({
    status: 'succeeded',
    block: soundHeaderOf(rules, block),
    transfers: withdrawalsOf(rules, block),
    traced: true,
  }))
}
