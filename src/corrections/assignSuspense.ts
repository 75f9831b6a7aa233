import { platformAccount } from '../ledger/account.ts'
import { countSuspenseEntry } from '../ledger/countSuspenseEntry.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { accountOfOwner, isOwned, type Owner } from './suspenseOwner.ts'

/** Money of a payment in suspense. */
export interface HeldMoney {
  asset: string
  /** Base units. */
  amount: bigint
}

/** SQL: the payment `s` goes back to its sender, or has gone back. */
export const goesBack = `exists (
  select 1 from outflows o where o.kind = 'suspense' and o.payment_id = s.detection_id and o.status not in ('failed', 'cancelled'))`

/** SQL: the transfer `t` went to a staking address. */
export const isOfStaking = 'exists (select 1 from staking_addresses a where a.address = t.to_address)'

/**
 * What the books hold in suspense for a payment; null: nothing now, or it goes back; `unknown`: there is no
 * such payment.
 */
export async function heldInSuspense(
  db: Queryable,
  detectionId: string,
): Promise<(HeldMoney & { isOfStaking: boolean }) | null | 'unknown'> {
  const [row] = await db.query<HeldRow>(
    `select s.posted, ${goesBack} as "goesBack", ${isOwned} as "isOwned", ${isOfStaking} as "isOfStaking", t.chain, t.token, (
       select coalesce(-sum(p.amount), 0) from ledger_entries e join ledger_postings p on p.entry_id = e.id join ledger_accounts a on a.id = p.account_id
       where e.cause_kind = 'suspense_payment' and e.reference = s.detection_id::text and a.name = 'suspense')::text as held
     from suspense_payments s join detections d on d.id = s.detection_id join transfers t on t.id = d.transfer_id where s.detection_id = $1`,
    [detectionId],
  )
  if (!row) return 'unknown'
  if (!row.posted || row.isOwned || row.goesBack || BigInt(row.held) <= 0n) return null
  return { asset: tokenAsset(row.chain, row.token), amount: BigInt(row.held), isOfStaking: row.isOfStaking }
}

interface HeldRow
  extends Record<'posted' | 'isOwned' | 'isOfStaking' | 'goesBack', boolean>,
    Record<'chain' | 'token' | 'held', string> {}

/**
 * Locks a payment until the transaction ends.
 * @returns false where suspense does not hold exactly that for it now
 */
export async function lockHeld(tx: Tx, detectionId: string, expected: HeldMoney): Promise<boolean> {
  // Lock in a separate statement, as settling does: the next one then reads the latest state.
  const locked = await tx.query('select 1 from suspense_payments where detection_id = $1 for update', [
    detectionId,
  ])
  if (locked.length === 0) return false
  const held = await heldInSuspense(tx, detectionId)
  return (
    held !== null && held !== 'unknown' && held.asset === expected.asset && held.amount === expected.amount
  )
}

/**
 * Gives a payment in suspense to a business, or books it as the operator's, in the caller's transaction. What
 * happens to it later concerns that owner (`settleSuspense`). An account of the operator takes only payments
 * at a staking address: rewards and fees of stakes are paid from there.
 * @param expected what was to be given
 * @returns false where suspense does not hold exactly that now: nothing changed
 */
export async function assignSuspense(
  tx: Tx,
  detectionId: string,
  owner: Owner,
  expected: HeldMoney,
): Promise<boolean> {
  if (!(await lockHeld(tx, detectionId, expected))) return false
  const { asset, amount } = expected
  const { businessId, account } = owner
  const step = await countSuspenseEntry(tx, detectionId)
  await post(tx, [
    {
      kind: account === null ? 'suspense.given' : 'suspense.funded',
      businessId,
      cause: { kind: 'suspense_payment', id: detectionId },
      step,
      postings: [
        { account: platformAccount('suspense', asset), amount },
        { account: accountOfOwner(owner, asset), amount: -amount },
      ],
    },
  ])
  await tx.query('update suspense_payments set business_id = $2, account = $3 where detection_id = $1', [
    detectionId,
    businessId,
    account,
  ])
  return true
}
