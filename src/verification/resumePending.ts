import { holdCredit } from '../ledger/creditHold.ts'
import { dollars } from '../ledger/entry.ts'
import type { Db } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'

interface Pending {
  id: string
  businessId: string
  price: string
}

/**
 * Holds the price of assessments that wait for credit, and queues them: of each business the oldest first, so that a later one does not keep it waiting.
 * @returns true if one was resumed
 */
export async function resumePending(db: Db): Promise<boolean> {
  const covered = await db.query<Pending>(
    `select v.id, v.business_id as "businessId", v.price
     from (select distinct on (business_id) id, business_id, price from verifications where status = 'pending_credit' order by business_id, id) v
       join ledger_accounts a on a.business_id = v.business_id and a.name = 'credit' and a.asset = $1
       join ledger_balances b on b.account_id = a.id
     where b.balance >= v.price`,
    [dollars],
  )
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
    if (await holdCredit(tx, { businessId, cause: { kind: 'verification', id } }, BigInt(price))) return true
    // Another request was faster.
    await tx.query("update verifications set status = 'pending_credit', next_attempt_at = null where id = $1", [id])
    return false
  })
  if (isQueued) failpoint('verification.resumed')
  return isQueued
}
