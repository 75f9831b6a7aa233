import { type BlockHeader, ProviderError } from '../../chain.ts'
import { timeOf } from '../../storable.ts'
import type { RpcBlock } from '../rpcTypes.ts'

/**
 * The highest transaction version that this program reads. A higher one is never skipped: its block waits.
 */
export const highestVersion = 1
/**
 * Two thirds of the stake voted for a confirmed block. Payments are seen at `confirmed` and credited at
 * `finalized`.
 */
export const commitment = 'confirmed'

/** The id of a block, or of the nth skipped slot after it. */
export const slotId = (blockhash: string, skipped: number): string =>
  skipped === 0 ? blockhash : `${blockhash}+${skipped}`

export type HeaderFields = Pick<RpcBlock, 'blockhash' | 'previousBlockhash' | 'parentSlot' | 'blockTime'>

/** @throws ProviderError if the answer is not a valid block of the slot */
export function headerOf(block: HeaderFields, slot: number): BlockHeader {
  const { blockhash, previousBlockhash, parentSlot, blockTime } = block
  const isHash = (text: unknown) => typeof text === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
  if (
    !isHash(blockhash) ||
    !isHash(previousBlockhash) ||
    !Number.isSafeInteger(parentSlot) ||
    !Number.isSafeInteger(blockTime)
  ) {
    throw new ProviderError(`slot ${slot} has no valid hashes, parent or time`)
  }
  // The genesis block is its own parent.
  if (parentSlot >= slot && slot > 0)
    throw new ProviderError(`slot ${slot} names a parent that is not below it: ${parentSlot}`)
  return {
    height: slot,
    id: blockhash,
    parentId: slotId(previousBlockhash, Math.max(0, slot - 1 - parentSlot)),
    time: timeOf((blockTime as number) * 1000),
  }
}
