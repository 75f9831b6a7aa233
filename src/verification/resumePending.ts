import { holdCredit, lockCredit } from '../ledger/creditHold.ts'
import { dollars } from '../ledger/entry.ts'
import type { Db } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'

/** The oldest of each business, where its credit covers the price. */
export const coveredPending = `
  with recursive oldest as (
    (select business_id, id, price from verifications where status = 'pending_credit' order by business_id, id limit 1)
    union all
    select next.* from oldest o cross join lateral (
      select business_id, id, price from verifications v
      where v.status = 'pending_credit' and v.business_id > o.business_id order by v.business_id, v.id limit 1) next
  )
  select o.id, o.business_id as "businessId", o.price from oldest o
    join ledger_accounts a on a.business_id = o.business_id and a.name = 'credit' and a.asset = $1
    join ledger_balances b on b.account_id = a.id
  where b.balance >= o.price`

interface Pending {
  id: string
  businessId: string
  price: string
}

/**
 * Holds the price of assessments that wait for credit, and queues them: of each business the oldest first, so
 * that a later one does not keep it waiting. Steps from business to business along the index: how many
 * assessments of each wait makes no difference.
 * @returns true if one was resumed
 */
export async function resumePending(db: Db): Promise<boolean> {
  const covered = await db.query<Pending>(coveredPending, [dollars])
  let resumed = false
  for (const pending of covered) resumed = (await resume(db, pending)) || resumed
  return resumed
}

async function resume(db: Db, { id, businessId, price }: Pending): Promise<boolean> {
  const isQueued = await db.tx(async (tx) => {
    const queued = await tx.query(
      `update verifications set status = 'queued', next_attempt_at = now(), queued_at = now()
       where id = (select id from verifications where id = $1 and status = 'pending_credit' for no key update skip locked) returning id`,
      [id],
    )
    if (queued.length === 0) return false
    const locked = await lockCredit(tx, businessId)
    if (holdCredit(tx, { businessId, cause: { kind: 'verification', id } }, BigInt(price), locked))
      return true
    // Another request was faster.
    await tx.query(
      "update verifications set status = 'pending_credit', next_attempt_at = null where id = $1",
      [id],
    )
    return false
  })
  if (isQueued) failpoint('verification.resumed')
  return isQueued
}
