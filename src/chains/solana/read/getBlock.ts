import { ProviderError } from '../../chain.ts'
import type { JsonRpc } from '../../providers/jsonRpc.ts'
import { resultIn } from '../../providers/jsonRpcAnswers.ts'
import type { RpcBlock, RpcLightBlock } from '../rpcTypes.ts'
import { commitment, type HeaderFields, highestVersion } from './header.ts'
import type { SolanaReaderContext } from './readerContext.ts'
import { type ScannedBlock, scanBlock, scanningBlock } from './scanBlock.ts'

export function requireBlock<B>(rpc: JsonRpc, slot: number, block: B | null): B {
  if (!block)
    throw new ProviderError(`${rpc.name} did not return the block of slot ${slot}, which it reported`)
  return block
}

type Details = 'full' | 'accounts' | 'none'

const paramsOf = (slot: number, transactionDetails: Details) => [
  slot,
  {
    commitment,
    encoding: 'json',
    transactionDetails,
    rewards: false,
    maxSupportedTransactionVersion: highestVersion,
  },
]

/** The block of a slot, in the requested detail. @throws RpcError if the node refuses it */
export const getBlock = async <B>(rpc: JsonRpc, slot: number, details: Details) =>
  (await rpc.call('getBlock', paramsOf(slot, details))) as B | null

/**
 * The block of a slot, as `scanBlock` reads it with a way to parse it, or parsed. @throws RpcError if the
 * node refuses it
 */
export async function getNewBlock(
  ctx: SolanaReaderContext,
  rpc: JsonRpc,
  slot: number,
): Promise<(ScannedBlock & { parsed(): RpcBlock }) | RpcBlock | null> {
  if (!rpc.read) return getBlock<RpcBlock>(rpc, slot, 'full')
  const answer = await rpc.read('getBlock', paramsOf(slot, 'full'), (chunks, id) => {
    const scanned = scanBlock(chunks, id, true)
    return scanned && { ...scanned, parsed: () => resultIn<RpcBlock>(chunks) }
  })
  if ('scanned' in answer) return answer.scanned
  if (answer.result) ctx.notUnderstood?.(rpc.name)
  return answer.result as RpcBlock | null
}

/**
 * The fields of a light block that are read: addresses as `scanBlock` returns them, otherwise the
 * transactions.
 */
export interface LightBlock extends HeaderFields {
  touched: Uint8Array | null
  transactions?: RpcLightBlock['transactions']
}

/**
 * The block of a slot with accounts and balances alone, from its bytes where they are plain. @throws RpcError
 * if the node refuses it
 */
export async function getLightBlock(
  ctx: SolanaReaderContext,
  rpc: JsonRpc,
  slot: number,
): Promise<LightBlock | null> {
  const params = paramsOf(slot, 'accounts')
  const { threads } = ctx
  const scan = (chunks: readonly Uint8Array[], id: number) =>
    threads ? threads.run(scanningBlock, chunks, id) : scanBlock(chunks, id)
  const answer = rpc.read
    ? await rpc.read('getBlock', params, scan)
    : { result: await rpc.call('getBlock', params) }
  if ('scanned' in answer) return answer.scanned
  const block = answer.result as RpcLightBlock | null
  if (!block) return null
  if (rpc.read) ctx.notUnderstood?.(rpc.name)
  const { blockhash, previousBlockhash, parentSlot, blockTime, transactions } = block
  return { blockhash, previousBlockhash, parentSlot, blockTime, transactions, touched: null }
}
