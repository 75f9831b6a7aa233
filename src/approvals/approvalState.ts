import type { Queryable } from '../platform/database/db.ts'
import { dependsOnSql } from './independence.ts'

/**
 * The state of an approval. `void`: the requester may no longer request it, or the approver may no longer
 * approve it.
 */
export type ApprovalState = 'approved' | 'waiting' | 'refused' | 'expired' | 'void'

/**
 * The permission by which a key requests: of a payout `payouts:create`, of a refund `refunds:create`. The
 * subject of a batch's own approval is no outflow.
 */
const askedWith = `case a.subject when 'payout'
  then coalesce((select o.kind || 's:create' from outflows o where o.id = a.subject_id), 'payouts:create')
  when 'destination' then 'payouts:destinations' when 'bridge-burn' then 'bridge:transfer' else 'wallets:send' end`

/**
 * The key has named the address of a refund, which needs a permission of its own. With a link, the customer
 * names it.
 */
const namesAddress = `(a.subject = 'payout' and exists (select 1 from outflows o where o.id = a.subject_id and o.kind = 'refund'
  and not exists (select 1 from refunds r where r.outflow_id = o.id and r.claim_expires_at is not null)))`

/** As `mayNameAddress` of a key. */
const mayNameAddress = `('refunds:address' = any(coalesce(k.permissions, k.write_permissions)) or coalesce(k.refund_address_until > now(), false))`

/** A rotated key may still request while any key of its rotations may. */
const askerHolds = `
  (exists (select 1 from members m where m.business_id = a.business_id and m.account_id = a.asked_by_account
       and m.role in ('owner', case a.subject when 'payout' then 'developer' else 'owner' end))
   or exists (select 1 from api_keys asked join api_keys k on k.root_id = asked.root_id
     where asked.id = a.asked_by_key and k.business_id = a.business_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
       and ${askedWith} = any(coalesce(k.permissions, k.write_permissions)) and (not ${namesAddress} or ${mayNameAddress})))`

/**
 * An owner who is independent of the request. Checked by every process: no row alone makes another account
 * the approver.
 */
const approverHolds = `(exists (select 1 from members m where m.business_id = a.business_id and m.account_id = a.decided_by and m.role = 'owner')
  and not ${dependsOnSql('a.decided_by')})`

/**
 * The current state, by the present rights of requester and approver. Without an approval row it is waiting.
 */
export async function approvalStateOf(
  db: Queryable,
  subject: string,
  subjectId: string,
): Promise<ApprovalState> {
  const [row] = await db.query<{
    decision: 'approved' | 'refused' | null
    over: boolean
    asker: boolean
    approver: boolean
  }>(
    `select decision, expires_at <= now() as over, ${askerHolds} as asker, ${approverHolds} as approver
     from approvals a where subject = $1 and subject_id = $2`,
    [subject, subjectId],
  )
  if (!row) return 'waiting'
  if (row.decision === 'refused') return 'refused'
  if (!row.asker) return 'void'
  if (row.decision === 'approved') return row.approver ? 'approved' : 'void'
  return row.over ? 'expired' : 'waiting'
}

/**
 * True when it was approved, also if the people involved have lost their rights since: for work that had
 * started by then.
 */
export async function wasApproved(db: Queryable, subject: string, subjectId: string): Promise<boolean> {
  const rows = await db.query(
    "select 1 from approvals where subject = $1 and subject_id = $2 and decision = 'approved'",
    [subject, subjectId],
  )
  return rows.length > 0
}
