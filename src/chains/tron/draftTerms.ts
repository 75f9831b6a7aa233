import { randomInt } from 'node:crypto'
import type { BlockHeader } from '../chain.ts'
import type { TronTerms } from './transferBytes.ts'

/**
 * How long a transaction may wait for its block. Short: a transaction that got lost can be replaced only
 * after it. Long enough for an owner who provides the key by hand; a block comes every three seconds.
 */
const lifetimeMs = 300_000

/**
 * Terms without their fees. @param anchor for TAPOS: the newest solidified block, which no fork removes, if
 * known
 */
export const draftTerms = (head: BlockHeader, anchor: BlockHeader, feeLimit: bigint): TronTerms => ({
  refBlockBytes: anchor.id.slice(12, 16),
  refBlockHash: anchor.id.slice(16, 32),
  ...uniqueTimes(head),
  feeLimit: feeLimit.toString(),
  fee: '0',
  besides: '0',
})

/**
 * Makes equal actions distinct transactions: of two identical ones the chain would execute one, and both
 * would count as done. Nodes do not check `timestamp`, and the expiration need not be round.
 */
const uniqueTimes = ({ time }: BlockHeader) => {
  const now = Math.max(time.getTime(), Date.now())
  return { timestamp: now - randomInt(60_000), expiration: now + lifetimeMs + randomInt(60_000) }
}
