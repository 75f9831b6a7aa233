import { type BlockHeader, ProviderError } from '../chain.ts'
import type { RpcHeader } from './rpcTypes.ts'

/** @throws ProviderError where the answer is no header */
export function headerOf(block: RpcHeader): BlockHeader {
  const height = Number(block.number)
  const seconds = Number(block.timestamp)
  if (!Number.isSafeInteger(height) || !Number.isSafeInteger(seconds) || !isHash(block.hash) || !isHash(block.parentHash)) {
    throw new ProviderError('a block without number, time or hashes')
  }
  return { height, id: block.hash, parentId: block.parentHash, time: new Date(seconds * 1000) }
}

/** @throws ProviderError where it is the block of another height */
export function atHeight<B extends RpcHeader>(block: B, height: number): B {
  if (Number(block.number) !== height) throw new ProviderError(`asked for block ${height}, got ${block.number}`)
  return block
}

const isHash = (text: unknown): text is string => typeof text === 'string' && /^0x[0-9a-f]{64}$/i.test(text)
