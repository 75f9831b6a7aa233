import { type BlockHeader, ProviderError } from '../chain.ts'
import type { RpcBlock } from './rpcTypes.ts'

/** The highest version of transactions that is known here. One of a higher version is never skipped: its block waits. */
export const highestVersion = 1
/** Two thirds of the stake have voted for a block that is confirmed. It is what payments are seen by; credited is what is finalized. */
export const commitment = 'confirmed'

/** A block's own hash, or the name of the nth skipped slot after it. */
export const nameOf = (blockhash: string, skipped: number): string => (skipped === 0 ? blockhash : `${blockhash}+${skipped}`)

/** @throws ProviderError where the answer is no block of the slot */
export function headerOf(block: Pick<RpcBlock, 'blockhash' | 'previousBlockhash' | 'parentSlot' | 'blockTime'>, slot: number): BlockHeader {
  const { blockhash, previousBlockhash, parentSlot, blockTime } = block
  const isHash = (text: unknown) => typeof text === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
  if (!isHash(blockhash) || !isHash(previousBlockhash) || !Number.isSafeInteger(parentSlot) || !Number.isSafeInteger(blockTime)) {
    throw new ProviderError(`slot ${slot} without hashes, parent or time`)
  }
  // The first block of all is its own parent.
  if (parentSlot >= slot && slot > 0) throw new ProviderError(`slot ${slot} is built on ${parentSlot}`)
  return {
    height: slot,
    id: blockhash,
    parentId: nameOf(previousBlockhash, Math.max(0, slot - 1 - parentSlot)),
    time: new Date((blockTime as number) * 1000),
  }
}
