import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { sendWatches } from './insertWatches.ts'
import type { WatchPurpose } from './purposes.ts'

export interface WatchedAddress {
  family: Family
  /** Normal form. */
  address: string
  businessId: string
  purpose: WatchPurpose
  subjectId: string
  /** As in `NewWatches`. */
  finality: { policyId: string | null; amount: string | null }
}

/**
 * Watches one address for a business, on every chain of its family: with the transaction's next statement or
 * its commit. Do not show the address before the commit.
 */
export function addWatch(tx: Tx, { address, subjectId, ...watch }: WatchedAddress): void {
  sendWatches(tx, { ...watch, chain: null }, [
    { id: newId(), subjectId, bytes: addressCodec(watch.family).bytes(address) },
  ])
}
