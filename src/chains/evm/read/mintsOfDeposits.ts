import { ProviderError, type Transfer } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import { storableTransfers } from '../../storable.ts'
import { hasSucceeded, type RpcBlock, type RpcReceipt } from '../rpcTypes.ts'
import { type EvmRules, mintedBy } from './movements.ts'

/**
 * What the deposits of a block mint, for a node without receipts by block: how much depends on their outcome,
 * which logs do not show. One request for all deposits that may mint.
 * @throws ProviderError where the node lacks the receipt of one
 */
export async function mintsOfDeposits(
  rules: EvmRules,
  rpc: JsonRpc,
  { hash, transactions }: RpcBlock,
): Promise<Transfer[]> {
  const deposits = sound(() => transactions.filter((each) => mintedBy(rules, each, false)))
  if (deposits.length === 0) return []
  const params = deposits.map((each) => [each.hash])
  const receipts = (await rpc.callMany('eth_getTransactionReceipt', params)) as (RpcReceipt | null)[]
  const minted = deposits.flatMap((deposit, index) => {
    const receipt = receipts[index]
    if (
      receipt?.transactionHash !== deposit.hash ||
      receipt.blockHash !== hash ||
      receipt.status === undefined
    )
      throw new ProviderError(`${rpc.name} has no receipt of the deposit ${deposit.hash} in its block`)
    return mintedBy(rules, deposit, hasSucceeded(receipt)) ?? []
  })
  return storableTransfers(minted)
}
