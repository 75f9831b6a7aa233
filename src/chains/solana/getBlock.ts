import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import { commitment, highestVersion } from './header.ts'

export function requireBlock<B>(rpc: JsonRpc, slot: number, block: B | null): B {
  if (!block) throw new ProviderError(`${rpc.name} did not return the block of slot ${slot}, which it reported`)
  return block
}

/** The block of a slot, in the requested detail. @throws RpcError if the node refuses it */
export const getBlock = async <B>(rpc: JsonRpc, slot: number, transactionDetails: 'full' | 'accounts' | 'none') =>
  (await rpc.call('getBlock', [
    slot,
    { commitment, encoding: 'json', transactionDetails, rewards: false, maxSupportedTransactionVersion: highestVersion },
  ])) as B | null
