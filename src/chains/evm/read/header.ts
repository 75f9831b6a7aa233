import { type BlockHeader, ProviderError } from '../../chain.ts'
import { timeOf } from '../../storable.ts'
import type { RpcHeader } from '../rpcTypes.ts'
import { proofOf } from './headerHash.ts'
import type { EvmRules } from './movements.ts'

/** Does not check the hash. @throws ProviderError where the answer is not a header */
export function headerOf(block: RpcHeader): BlockHeader {
  const height = Number(block.number)
  const seconds = Number(block.timestamp)
  if (
    !Number.isSafeInteger(height) ||
    !Number.isSafeInteger(seconds) ||
    !isHash(block.hash) ||
    !isHash(block.parentHash)
  ) {
    throw new ProviderError('a block lacks its number, time or hashes')
  }
  return { height, id: block.hash, parentId: block.parentHash, time: timeOf(seconds * 1000) }
}

/**
 * Refuses a header that does not match its hash. The hash of a trusted node is not checked.
 * @returns whether the header is proven; one with a field that this version does not know cannot be
 * @throws ProviderError
 */
export function requireHash({ trusted }: Pick<EvmRules, 'trusted'>, block: RpcHeader): boolean {
  if (trusted) return true
  const proof = proofOf(block)
  if (proof === 'mismatch')
    throw new ProviderError(`block ${Number(block.number)}: header does not match its hash`)
  return proof === 'match'
}

/** @throws ProviderError where the answer is not a header, or does not match its hash */
export function soundHeaderOf(rules: Pick<EvmRules, 'trusted'>, block: RpcHeader): BlockHeader {
  const header = headerOf(block)
  requireHash(rules, block)
  return header
}

/** @throws ProviderError where the block has another height */
export function atHeight<B extends RpcHeader>(block: B, height: number): B {
  if (Number(block.number) !== height)
    throw new ProviderError(`asked for block ${height}, got ${block.number}`)
  return block
}

const isHash = (text: unknown): text is string => typeof text === 'string' && /^0x[0-9a-f]{64}$/i.test(text)
