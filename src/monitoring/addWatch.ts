import type { Family } from '../chains/chain.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { Tx } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'

export interface NewWatch {
  family: Family
  address: string
  businessId: string
  purpose: 'session'
  subjectId: string
  /** The business's policy at this moment; `amount`, in whole tokens, is the minimum that each transfer counts as. */
  finality: { policyId: string | null; amount: string | null }
}

/**
 * Watches an address on every chain of its family from this transaction's commit on. Do not show the address before the
 * commit: then every block that pays it is read after the watch is visible.
 */
export async function addWatch(tx: Tx, watch: NewWatch): Promise<void> {
  await tx.query(
    `insert into watches (id, family, chain, address, business_id, purpose, subject_id, finality_policy_id, finality_amount)
     values ($1, $2, null, $3, $4, $5, $6, $7, $8)`,
    [
      newId(),
      watch.family,
      Buffer.from(addressCodec(watch.family).bytes(watch.address)),
      watch.businessId,
      watch.purpose,
      watch.subjectId,
      watch.finality.policyId,
      watch.finality.amount,
    ],
  )
}
