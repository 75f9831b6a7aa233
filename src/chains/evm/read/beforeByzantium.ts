import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import type { CallFrame, RpcReceipt } from '../rpcTypes.ts'

/**
 * Before the Byzantium fork (ethereum block 4,370,000, October 2017) a receipt has a state root in place of a
 * status (EIP-658): only a trace shows whether the transaction succeeded.
 */
export const hasNoStatus = ({ status, root }: Pick<RpcReceipt, 'status' | 'root'>): boolean =>
  status == null && root != null

/**
 * Reads a receipt, and takes a missing status from a trace; null where the node does not have the receipt.
 * @throws ProviderError where the node gives no trace
 */
export async function receiptOf(rpc: JsonRpc, txId: string): Promise<RpcReceipt | null> {
  const receipt = (await rpc.call('eth_getTransactionReceipt', [txId])) as RpcReceipt | null
  if (!receipt || !hasNoStatus(receipt)) return receipt
  const frame = (await rpc.call('debug_traceTransaction', [
    txId,
    { tracer: 'callTracer' },
  ])) as CallFrame | null
  if (typeof frame?.type !== 'string')
    throw new ProviderError(`${rpc.name} returned no trace of ${txId}, whose receipt has no status`)
  return { ...receipt, status: frame.error === undefined ? '0x1' : '0x0' }
}
