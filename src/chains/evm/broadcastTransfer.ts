import { bytesToHex } from 'viem/utils'
import { broadcastByProviders } from '../broadcastByProviders.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import type { Broadcast, SignedTransaction } from '../sending.ts'
import { meaningOf } from './broadcastMessages.ts'
import { saidBy } from './refusals.ts'
import type { EvmSenderContext } from './senderContext.ts'

/** @throws ProviderError where nobody knows whether a provider has it */
export async function broadcastTransaction({ providers }: EvmSenderContext, { txId, bytes }: SignedTransaction): Promise<Broadcast> {
  const raw = bytesToHex(bytes)
  return broadcastByProviders(providers, (rpc) => send(rpc, txId, raw))
}

async function send(rpc: JsonRpc, txId: string, raw: string): Promise<Broadcast> {
  try {
    const answered = await rpc.call('eth_sendRawTransaction', [raw])
    if (typeof answered === 'string' && answered.toLowerCase() === txId) return { status: 'accepted', message: null }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const message = saidBy(error)
    const status = meaningOf(message)
    if (status === null) throw error
    // The sequence may be used by this very transaction.
    if (status === 'sequence_used' && (await rpc.call('eth_getTransactionByHash', [txId])) !== null) return { status: 'accepted', message }
    return { status, message }
  }
  throw new ProviderError(`${rpc.name}: eth_sendRawTransaction: took it for another transaction`)
}
