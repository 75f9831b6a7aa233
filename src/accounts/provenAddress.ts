import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { auditOfVoided, endInvitationsOf } from '../members/invitations.ts'
import type { Role } from '../members/role.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { Account } from './findAccount.ts'

export interface Membership {
  businessId: string
  name: string
  role: Role
  joinedAt: Date
}

/** The memberships of an account, in order of joining. */
export const membershipsOf = (db: Queryable, accountId: string): Promise<Membership[]> =>
  db.query<Membership>(
    `select b.id as "businessId", b.name, m.role, m.created_at as "joinedAt"
     from members m join businesses b on b.id = m.business_id where m.account_id = $1 order by m.created_at, b.id`,
    [accountId],
  )

/**
 * Locks an account's memberships: changes made through them have finished, and later ones wait. Call it
 * before locking the account.
 */
export async function lockMemberships(tx: Tx, email: string): Promise<void> {
  const theirs = 'from members m join accounts a on a.id = m.account_id where a.email = $1'
  await tx.query(
    `select 1 from businesses where id in (select m.business_id ${theirs}) order by id for no key update`,
    [email],
  )
  await tx.query(`select 1 ${theirs} order by m.business_id for update of m`, [email])
}

/** The memberships that a reset would end: those of an account with an unproven address. */
export async function unprovenMembershipsOf(
  db: Queryable,
  email: string,
  keeps: readonly string[],
): Promise<{ businessName: string; role: Role }[]> {
  return db.query<{ businessName: string; role: Role }>(
    `select b.name as "businessName", m.role from members m join businesses b on b.id = m.business_id join accounts a on a.id = m.account_id
     where a.email = $1 and a.email_proven_at is null and not b.id = any($2) order by m.created_at, b.id`,
    [email, keeps],
  )
}

/**
 * Records that the account's owner has the mailbox. Only for links sent to the mailbox alone.
 * @returns whether that is new
 */
export async function proveAddress(tx: Tx, accountId: string): Promise<boolean> {
  const proven = await tx.query(
    'update accounts set email_proven_at = now() where id = $1 and email_proven_at is null returning id',
    [accountId],
  )
  return proven.length === 1
}

/**
 * Removes an account from the businesses that it joined with an unproven address: another person may have
 * registered it first, and would share in the owner's later work. Voids the invitations sent there and the
 * chosen default.
 * @param keeps ids of businesses that stay
 */
export async function dropUnprovenMemberships(
  tx: Tx,
  actor: Actor,
  account: Pick<Account, 'id' | 'email'>,
  keeps: readonly string[],
): Promise<void> {
  const dropped = (await membershipsOf(tx, account.id)).filter(
    ({ businessId }) => !keeps.includes(businessId),
  )
  const ids = dropped.map(({ businessId }) => businessId).toSorted()
  // Sort to avoid deadlocks with other changes of members.
  await tx.query('select 1 from businesses where id = any($1) order by id for no key update', [ids])
  for (const { businessId, role } of dropped) {
    const voided = await endInvitationsOf(tx, businessId, { accountId: account.id, email: account.email })
    await tx.query('delete from members where business_id = $1 and account_id = $2', [businessId, account.id])
    const after = { reason: 'address_not_proven', ...auditOfVoided(voided) }
    await recordAudit(tx, actor, {
      businessId,
      action: 'member.removed',
      target: account.id,
      before: { email: account.email, role },
      after,
    })
  }
  await tx.query('update accounts set default_business_id = null where id = $1', [account.id])
}
