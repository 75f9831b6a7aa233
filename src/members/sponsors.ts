import type { Queryable } from '../platform/database/db.ts'

/**
 * Records who brought a member into a business or gave them a higher role. A sponsor does not approve
 * requests of the member.
 * @param sponsorId null: an operator's command
 */
export async function sponsorMember(
  db: Queryable,
  businessId: string,
  accountId: string,
  sponsorId: string | null,
): Promise<void> {
  if (sponsorId === null || sponsorId === accountId) return
  await db.query(
    'insert into member_sponsors (business_id, account_id, sponsor_id) values ($1, $2, $3) on conflict do nothing',
    [businessId, accountId, sponsorId],
  )
}

/**
 * The same for the account that opened the member's account by an invitation, to any business: it may know
 * the password.
 */
export async function sponsorByAccount(db: Queryable, businessId: string, accountId: string): Promise<void> {
  await db.query(
    `insert into member_sponsors (business_id, account_id, sponsor_id)
     select $1, id, invited_by from accounts where id = $2 and invited_by <> id on conflict do nothing`,
    [businessId, accountId],
  )
}

/** Records who made a key, or gave it permissions. @param accountId null: made with the deployment */
export async function sponsorKey(db: Queryable, rootId: string, accountId: string | null): Promise<void> {
  if (accountId === null) return
  await db.query('insert into key_sponsors (root_id, account_id) values ($1, $2) on conflict do nothing', [
    rootId,
    accountId,
  ])
}
