import type { Tx } from '../platform/database/db.ts'
import { dependsOnSql } from './independence.ts'
import { approvalHours } from './requestApproval.ts'

/**
 * True when a change that weakens the approval of transfers needs a second owner: there is one, or one was
 * removed recently. Otherwise one owner could remove the other first. The caller has locked the business.
 */
export async function hasSecondOwner(tx: Tx, businessId: string): Promise<boolean> {
  const [row] = await tx.query<{ has: boolean }>(
    `select (select count(*) from members where business_id = b.id and role = 'owner') > 1
       or coalesce(b.owner_removed_at > now() - $2 * interval '1 hour', false) as has
     from businesses b where id = $1`,
    [businessId, approvalHours],
  )
  return row?.has ?? false
}

/**
 * True when adding an owner needs a second owner: the new one could approve, and the business has set
 * something that protects its money.
 */
export async function newOwnerNeedsSecond(tx: Tx, businessId: string): Promise<boolean> {
  const [guard] = await tx.query(
    `select 1 from send_limits where business_id = $1 and num_nonnulls(amounts, destinations) > 0
     union all select 1 from payout_settings where business_id = $1
     union all select 1 from businesses where id = $1 and requires_second_factor limit 1`,
    [businessId],
  )
  return guard !== undefined && (await hasSecondOwner(tx, businessId))
}

/**
 * True while what one owner asked for stands for another one, who may confirm it, or for itself: who asked is
 * still an owner, the time of an approval is not over, and the other one did not bring it in or promote it,
 * directly or through others.
 */
export async function standsFor(
  tx: Tx,
  businessId: string,
  asked: { by: string; at: Date },
  accountId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from members m
       cross join lateral (select m.business_id, m.account_id as asked_by_account, null::uuid as asked_by_key, null::timestamptz as decided_at) a
     where m.business_id = $1 and m.account_id = $2 and m.role = 'owner' and $3::timestamptz > now() - $4 * interval '1 hour'
       and (m.account_id = $5 or not ${dependsOnSql('$5::uuid')})`,
    [businessId, asked.by, asked.at, approvalHours, accountId],
  )
  return rows.length > 0
}
