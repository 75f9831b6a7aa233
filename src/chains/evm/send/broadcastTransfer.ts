import { bytesToHex } from 'viem/utils'
import { ProviderError } from '../../chain.ts'
import { broadcastByProviders } from '../../providers/broadcastByProviders.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import type { Broadcast, SignedTransaction } from '../../sending.ts'
import { nodeMessage } from '../refusals.ts'
import { meaningOf } from './broadcastMessages.ts'
import type { EvmSenderContext } from './senderContext.ts'

/** @throws ProviderError where a provider may have the transaction without confirming it */
export async function broadcastTransaction(
  { providers }: EvmSenderContext,
  { txId, bytes }: SignedTransaction,
): Promise<Broadcast> {
  const raw = bytesToHex(bytes)
  return broadcastByProviders(providers, (rpc) => send(rpc, txId, raw))
}

async function send(rpc: JsonRpc, txId: string, raw: string): Promise<Broadcast> {
  try {
    const answered = await rpc.call('eth_sendRawTransaction', [raw])
    if (typeof answered === 'string' && answered.toLowerCase() === txId)
      return { status: 'accepted', message: null }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const message = nodeMessage(error)
    const status = meaningOf(message)
    if (status === null) throw error
    // This transaction may itself have used the nonce.
    if (status === 'nonce_used' && (await rpc.call('eth_getTransactionByHash', [txId])) !== null)
      return { status: 'accepted', message }
    return { status, message }
  }
  throw new ProviderError(`${rpc.name}: eth_sendRawTransaction: did not answer with the id of ${txId}`)
}
