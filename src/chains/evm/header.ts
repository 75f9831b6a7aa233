import { messageOf } from '../../platform/errors.ts'
import { type BlockHeader, ProviderError } from '../chain.ts'
import type { RpcHeader } from './rpcTypes.ts'

/** Reads what a provider answered. Whatever cannot be read, however it is malformed, is that provider's failure and another one is asked. */
export function sound<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ProviderError ? error : new ProviderError(`a malformed answer: ${messageOf(error)}`)
  }
}

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
