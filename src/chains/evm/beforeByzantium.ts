import { ProviderError } from '../chain.ts'
import type { JsonRpc } from '../providers/jsonRpc.ts'
import type { CallFrame, RpcReceipt } from './rpcTypes.ts'

/**
 * Before the Byzantium fork (block 4,370,000 of ethereum, October 2017) a receipt has the root of the state in place of a status (EIP-658): only
 * a trace shows whether its transaction succeeded.
 */
export const hasNoStatus = ({ status, root }: Pick<RpcReceipt, 'status' | 'root'>): boolean => status == null && root != null

/**
 * A receipt with its status; null where the node does not have it.
 * @throws ProviderError where only a trace has the status, and the node gives no trace
 */
export async function receiptOf(rpc: JsonRpc, txId: string): Promise<RpcReceipt | null> {
  const receipt = (await rpc.call('eth_getTransactionReceipt', [txId])) as RpcReceipt | null
  if (!receipt || !hasNoStatus(receipt)) return receipt
  const frame = (await rpc.call('debug_traceTransaction', [txId, { tracer: 'callTracer' }])) as CallFrame | null
  if (typeof frame?.type !== 'string') throw new ProviderError(`${rpc.name} gave no trace of ${txId}`)
  return { ...receipt, status: frame.error === undefined ? '0x1' : '0x0' }
}
