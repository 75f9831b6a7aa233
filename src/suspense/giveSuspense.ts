import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Queryable, Tx } from '../platform/db.ts'

/** Money of a payment in suspense. */
export interface HeldMoney {
  asset: string
  /** Base units. */
  amount: bigint
}

/** What the books hold in suspense for a payment; null: nothing now; `unknown`: there is no such payment. */
export async function heldInSuspense(db: Queryable, detectionId: string): Promise<HeldMoney | null | 'unknown'> {
  const [row] = await db.query<{ posted: boolean; businessId: string | null; chain: string; token: string; held: string }>(
    `select s.posted, s.business_id as "businessId", t.chain, t.token, (
       select coalesce(-sum(p.amount), 0) from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
       where e.cause_kind = 'suspense_payment' and e.reference = s.detection_id::text and a.name = 'suspense')::text as held
     from suspense_payments s join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id where s.detection_id = $1`,
    [detectionId],
  )
  if (!row) return 'unknown'
  if (!row.posted || row.businessId !== null || BigInt(row.held) <= 0n) return null
  return { asset: tokenAsset(row.chain, row.token), amount: BigInt(row.held) }
}

/**
 * Gives a payment in suspense to a business, in the caller's transaction. What happens to it later concerns that business (`settleSuspense`).
 * @param expected what was to be given
 * @returns false where suspense does not hold exactly that now: nothing changed
 */
export async function giveSuspense(tx: Tx, detectionId: string, businessId: string, expected: HeldMoney): Promise<boolean> {
  // Lock in a separate statement, as settling does: the next one then reads the latest state.
  const [counted] = await tx.query<{ entries: number }>('select entries from suspense_payments where detection_id = $1 for update', [detectionId])
  const held = await heldInSuspense(tx, detectionId)
  if (!counted || held === null || held === 'unknown' || held.asset !== expected.asset || held.amount !== expected.amount) return false
  const { asset, amount } = held
  const step = counted.entries + 1
  await post(tx, [
    {
      kind: 'suspense.given',
      businessId,
      cause: { kind: 'suspense_payment', id: detectionId },
      step,
      postings: [
        { account: { name: 'suspense', businessId: null, asset }, amount },
        { account: { name: 'available', businessId, asset }, amount: -amount },
      ],
    },
  ])
  await tx.query('update suspense_payments set business_id = $2, entries = $3, updated_at = now() where detection_id = $1', [
    detectionId,
    businessId,
    step,
  ])
  return true
}
