import { lockAccount } from '../accounts/findAccount.ts'
import { requestChange, type WaitingChange } from '../approvals/requestApproval.ts'
import { newOwnerNeedsSecond } from '../approvals/secondOwner.ts'
import { type Actor, accountOf, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { auditOfVoided, endInvitationsOf } from '../members/invitations.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { includesRole, type Role, roleIn } from '../members/role.ts'
import { sponsorMember } from '../members/sponsors.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'

export interface MemberView {
  accountId: string
  email: string
  name: string
  role: Role
  secondFactor: boolean
  joinedAt: string
}

interface MemberRow extends Omit<MemberView, 'joinedAt'> {
  joinedAt: Date
}

/** All members of a business, in order of joining. */
export async function listMembers(db: Queryable, businessId: string): Promise<MemberView[]> {
  const rows = await db.query<MemberRow>(
    `select a.id as "accountId", a.email, a.name, m.role, m.created_at as "joinedAt",
       a.totp_enabled_at is not null or exists (select 1 from passkeys p where p.account_id = a.id) as "secondFactor"
     from members m join accounts a on a.id = m.account_id where m.business_id = $1 order by m.created_at, a.id`,
    [businessId],
  )
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }))
}

/**
 * Changes a member's role.
 * @returns the member after the change, and the approval that is waiting for a second owner
 * @throws ApiError 404; 409 `last_owner`
 */
export async function changeMember(
  ctx: { db: Db },
  actor: Actor,
  businessId: string,
  accountId: string,
  role: Role,
): Promise<{ member: MemberView; approval: WaitingChange | null }> {
  return ctx.db.tx(async (tx) => {
    const before = await lockedMember(tx, actor, businessId, accountId)
    if (role === 'owner' && before.role !== 'owner') {
      const approval = await requestOwner(tx, actor, {
        businessId,
        accountId,
        email: before.email,
        askedBy: accountOf(actor),
      })
      if (approval) return { member: await memberOf(tx, businessId, accountId), approval }
    }
    if (before.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, businessId, accountId)
    await tx.query('update members set role = $3 where business_id = $1 and account_id = $2', [
      businessId,
      accountId,
      role,
    ])
    if (!includesRole(before.role, role)) await sponsorMember(tx, businessId, accountId, accountOf(actor))
    if (before.role !== role) {
      const voided = await endInvitationsOf(tx, businessId, { accountId, email: before.email })
      const after = { email: before.email, role, ...auditOfVoided(voided) }
      await recordAudit(tx, actor, {
        businessId,
        action: 'member.changed',
        target: accountId,
        before: { role: before.role },
        after,
      })
    }
    if (before.role === 'owner' && role !== 'owner') await noteOwnerRemoved(tx, actor, businessId, accountId)
    return { member: await memberOf(tx, businessId, accountId), approval: null }
  })
}

async function memberOf(tx: Tx, businessId: string, accountId: string): Promise<MemberView> {
  const member = (await listMembers(tx, businessId)).find((each) => each.accountId === accountId)
  if (!member) throw notFound('member')
  return member
}

/**
 * Requests a second owner's approval of a new owner, where that is required. The caller has locked the
 * business.
 * @param askedBy an account that does not own the business acts as an operator and needs no approval; null: a
 * command of the operator
 * @returns null where no approval is needed
 */
export async function requestOwner(
  tx: Tx,
  actor: Actor,
  {
    businessId,
    accountId,
    email,
    askedBy,
  }: { businessId: string; accountId: string; email: string; askedBy: string | null },
): Promise<WaitingChange | null> {
  if (
    askedBy === null ||
    (await roleIn(tx, businessId, askedBy)) !== 'owner' ||
    !(await newOwnerNeedsSecond(tx, businessId))
  )
    return null
  const { approval, isNew } = await requestChange(tx, {
    businessId,
    subject: 'owner',
    accountId: askedBy,
    wanted: { accountId },
  })
  if (isNew)
    await recordAudit(tx, actor, {
      businessId,
      action: 'approval.asked',
      target: approval.id,
      after: { owner: accountId, email },
    })
  return approval
}

/**
 * For a while, an owner who removed another owner still needs a second one for changes that weaken approvals.
 */
async function noteOwnerRemoved(tx: Tx, actor: Actor, businessId: string, accountId: string): Promise<void> {
  if (accountOf(actor) !== accountId)
    await tx.query('update businesses set owner_removed_at = now() where id = $1', [businessId])
}

/** Removes a member; their rights end at once. @throws ApiError 404; 409 `last_owner` */
export async function removeMember(
  ctx: { db: Db },
  actor: Actor,
  businessId: string,
  accountId: string,
  action: 'member.removed' | 'member.left' = 'member.removed',
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const before = await lockedMember(tx, actor, businessId, accountId)
    if (before.role === 'owner') await requireAnotherOwner(tx, businessId, accountId)
    const voided = await endInvitationsOf(tx, businessId, { accountId, email: before.email })
    await tx.query('delete from members where business_id = $1 and account_id = $2', [businessId, accountId])
    if (before.role === 'owner') await noteOwnerRemoved(tx, actor, businessId, accountId)
    const keysLeft = await keysOf(tx, businessId, accountId)
    const consequences = { ...auditOfVoided(voided), ...(keysLeft.length > 0 && { keysLeft }) }
    const after = Object.keys(consequences).length > 0 ? consequences : null
    await recordAudit(tx, actor, { businessId, action, target: accountId, before, after })
  })
}

/**
 * Locks the business, so that two owners cannot remove each other at once, and the member, whose running
 * changes finish first and whose later ones are refused. Confirms the actor before the change, which may
 * remove the actor.
 */
async function lockedMember(
  tx: Tx,
  actor: Actor,
  businessId: string,
  accountId: string,
): Promise<{ email: string; role: Role }> {
  await lockBusiness(tx, businessId)
  const [member] = isUuid(accountId)
    ? await tx.query<{ email: string; role: Role }>(
        'select a.email, m.role from members m join accounts a on a.id = m.account_id where m.business_id = $1 and m.account_id = $2 for update of m',
        [businessId, accountId],
      )
    : []
  // Ending a membership also clears a default that points to it.
  if (member) await lockAccount(tx, accountId)
  await confirmActor(tx, actor)
  if (!member) throw notFound('member')
  return member
}

/** Prefixes of the active keys that a person created: they have seen the secrets. */
async function keysOf(tx: Tx, businessId: string, accountId: string): Promise<string[]> {
  const keys = await tx.query<{ prefix: string }>(
    `select prefix from api_keys where business_id = $1 and created_by = $2 and revoked_at is null and (expires_at is null or expires_at > now())
     order by id`,
    [businessId, accountId],
  )
  return keys.map(({ prefix }) => prefix)
}

async function requireAnotherOwner(tx: Tx, businessId: string, accountId: string): Promise<void> {
  const others = await tx.query(
    `select 1 from members where business_id = $1 and role = 'owner' and account_id <> $2 limit 1`,
    [businessId, accountId],
  )
  if (others.length === 0)
    throw new ApiError(409, 'last_owner', 'A business needs an owner: make another member an owner first')
}
