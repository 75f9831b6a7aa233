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
  /** How final transfers must be: the business's choice of this moment, and the least amount, in whole tokens, that they are taken for. */
  finality: { policyId: string | null; amount: string | null }
}

/**
 * Watches an address on every chain of its family, from this transaction's commit on. Show the address to
 * nobody before that: a block that pays it is then read after the watch can be seen.
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
