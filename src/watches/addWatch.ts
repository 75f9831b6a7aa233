import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { insertWatches } from './insertWatches.ts'
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

/** Watches one address for a business, on every chain of its family. Do not show the address before the commit. */
export async function addWatch(tx: Tx, { address, subjectId, ...watch }: WatchedAddress): Promise<void> {
  await insertWatches(tx, { ...watch, chain: null }, [{ id: newId(), subjectId, bytes: addressCodec(watch.family).bytes(address) }])
}
