import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { countEntry } from './countEntry.ts'

/** Money of a payment in suspense. */
export interface HeldMoney {
  asset: string
  /** Base units. */
  amount: bigint
}

/** SQL: the payment `s` goes back to its sender, or has gone back. */
export const goesBack = `exists (
  select 1 from outflows o where o.kind = 'suspense' and o.payment_id = s.detection_id and o.status not in ('failed', 'cancelled'))`

/** What the books hold in suspense for a payment; null: nothing now, or it goes back; `unknown`: there is no such payment. */
export async function heldInSuspense(db: Queryable, detectionId: string): Promise<HeldMoney | null | 'unknown'> {
  const [row] = await db.query<{ posted: boolean; businessId: string | null; chain: string; token: string; held: string; goesBack: boolean }>(
    `select s.posted, ${goesBack} as "goesBack", s.business_id as "businessId", t.chain, t.token, (
       select coalesce(-sum(p.amount), 0) from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
       where e.cause_kind = 'suspense_payment' and e.reference = s.detection_id::text and a.name = 'suspense')::text as held
     from suspense_payments s join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id where s.detection_id = $1`,
    [detectionId],
  )
  if (!row) return 'unknown'
  if (!row.posted || row.businessId !== null || row.goesBack || BigInt(row.held) <= 0n) return null
  return { asset: tokenAsset(row.chain, row.token), amount: BigInt(row.held) }
}

/**
 * Locks a payment until the transaction ends.
 * @returns false where suspense does not hold exactly that for it now
 */
export async function lockHeld(tx: Tx, detectionId: string, expected: HeldMoney): Promise<boolean> {
  // Lock in a separate statement, as settling does: the next one then reads the latest state.
  const locked = await tx.query('select 1 from suspense_payments where detection_id = $1 for update', [detectionId])
  if (locked.length === 0) return false
  const held = await heldInSuspense(tx, detectionId)
  return held !== null && held !== 'unknown' && held.asset === expected.asset && held.amount === expected.amount
}

/**
 * Gives a payment in suspense to a business, in the caller's transaction. What happens to it later concerns that business (`settleSuspense`).
 * @param expected what was to be given
 * @returns false where suspense does not hold exactly that now: nothing changed
 */
export async function giveSuspense(tx: Tx, detectionId: string, businessId: string, expected: HeldMoney): Promise<boolean> {
  if (!(await lockHeld(tx, detectionId, expected))) return false
  const { asset, amount } = expected
  const step = await countEntry(tx, detectionId)
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
  await tx.query('update suspense_payments set business_id = $2 where detection_id = $1', [detectionId, businessId])
  return true
}
