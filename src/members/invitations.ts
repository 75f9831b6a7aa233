import { type Actor, accountOf, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { hashOfLinkToken, newLinkToken } from '../mail/linkToken.ts'
import { normalEmail } from '../mail/normalEmail.ts'
import { type Mailing, queueMail } from '../mail/queueMail.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { lockBusiness } from './lockBusiness.ts'
import type { Role } from './role.ts'

const usually = '7 days'

export interface InvitationView {
  id: string
  email: string
  role: Role
  invitedBy: string | null
  /** Null: the link was handed over. */
  mail: MailState | null
  createdAt: string
  expiresAt: string
}

/** The state of an invitation's mail. */
export type MailState = 'waiting' | 'sent' | 'failed'

/** `reset` sets a new password; `prove` proves an account's address. */
export type Purpose = 'member' | 'operator' | 'reset' | 'prove'

export interface Invitation {
  id: string
  purpose: Purpose
  businessId: string | null
  businessName: string | null
  email: string
  role: Role | null
  invitedBy: string | null
  invitedById: string | null
  /** Only the mailbox received the link. */
  isMailed: boolean
  /** For a reset: businesses that an unproven account stays in. */
  keeps: string[]
  expiresAt: Date
}

const open = 'i.accepted_at is null and i.revoked_at is null and i.expires_at > now()'
/**
 * The inviter still has the right to invite. Losing that right also voids the invitations; this condition
 * covers changes that did not. A proof link is requested by its own account.
 */
const offered = `(i.invited_by is null or i.purpose = 'prove' or exists (select 1 from accounts a where a.id = i.invited_by and a.operator)
  or exists (select 1 from members m where m.business_id = i.business_id and m.account_id = i.invited_by and m.role = 'owner'))`

/**
 * Creates an invitation; an earlier one for the same purpose and address is voided.
 * @returns its id and token, and the ids of voided invitations
 */
export async function makeInvitation(
  db: Queryable,
  wanted: {
    purpose: Purpose
    businessId?: string
    role?: Role
    email: string
    invitedBy: string | null
    /** The token goes to the mailbox and is not shown. */
    isMailed?: boolean
    keeps?: readonly string[]
    holds?: '7 days' | '1 day'
  },
): Promise<{ id: string; token: Secret; voided: string[] }> {
  const {
    purpose,
    businessId = null,
    role = null,
    invitedBy,
    isMailed = false,
    keeps = [],
    holds = usually,
  } = wanted
  const email = normalEmail(wanted.email)
  const token = newLinkToken()
  const id = newId()
  // Anyone can request a mailed reset: it must not void a link that the operator handed over.
  const isSame = `purpose = $1 and business_id is not distinct from $2 and email = $3 and (purpose <> 'reset' or (mail is not null) = $4)`
  const voided = await endInvitations(db, isSame, [purpose, businessId, email, isMailed])
  await db.query(
    `insert into invitations (id, purpose, business_id, email, role, token_hash, invited_by, mail, keeps, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::interval)`,
    [
      id,
      purpose,
      businessId,
      email,
      role,
      hashOfLinkToken(token),
      invitedBy,
      isMailed ? 'waiting' : null,
      keeps,
      holds,
    ],
  )
  return { id, token: new Secret(token), voided }
}

/** Ends all open invitations that match. @returns their ids */
async function endInvitations(db: Queryable, condition: string, values: unknown[]): Promise<string[]> {
  const ended = await db.query<{ id: string }>(
    `update invitations i set revoked_at = now() where (${condition}) and ${open} returning id`,
    values,
  )
  return ended.map(({ id }) => id).toSorted()
}

/** Audit fields for invitations voided by another change: their ids, if any. */
export const auditOfVoided = (voided: readonly string[]): { invitationsVoided?: readonly string[] } =>
  voided.length > 0 ? { invitationsVoided: voided } : {}

/**
 * Invites a person to a business.
 * @param mailing the link is mailed, and the token is not returned to the caller
 * @throws ApiError 409 `already_member`
 */
export async function inviteMember(
  ctx: { db: Db },
  actor: Actor,
  businessId: string,
  wanted: { email: string; role: Role },
  mailing: Mailing | null = null,
): Promise<{ invitation: InvitationView; token: Secret }> {
  return ctx.db.tx(async (tx) => {
    // Serialized: of two invitations for one address the first is voided.
    await lockBusiness(tx, businessId)
    await confirmActor(tx, actor)
    const email = normalEmail(wanted.email)
    const already = await tx.query(
      'select 1 from members m join accounts a on a.id = m.account_id where m.business_id = $1 and a.email = $2',
      [businessId, email],
    )
    if (already.length > 0) throw new ApiError(409, 'already_member', 'This address belongs to a member')
    const invitedBy = accountOf(actor)
    const isMailed = mailing !== null
    const { id, token, voided } = await makeInvitation(tx, {
      purpose: 'member',
      businessId,
      role: wanted.role,
      email,
      invitedBy,
      isMailed,
    })
    if (mailing) await queueMail(mailing, tx, { kind: 'member', email, invitationId: id, token })
    const after = {
      email,
      role: wanted.role,
      ...(isMailed ? { byMail: true } : {}),
      ...auditOfVoided(voided),
    }
    await recordAudit(tx, actor, { businessId, action: 'member.invited', target: id, after })
    const invitation = (await listInvitations(tx, businessId)).find((each) => each.id === id)
    if (!invitation) throw new Error('the invitation does not exist')
    return { invitation, token }
  })
}

/** Open invitations of a business, newest first; at most 200. */
export async function listInvitations(db: Queryable, businessId: string): Promise<InvitationView[]> {
  const rows = await db.query<
    Omit<InvitationView, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date }
  >(
    `select i.id, i.email, i.role, i.mail, a.email as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt"
     from invitations i left join accounts a on a.id = i.invited_by where i.business_id = $1 and ${open} order by i.id desc limit 200`,
    [businessId],
  )
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }))
}

/**
 * Ends the invitations that a member sent and received in a business, which could bring them back or let
 * others in. @returns their ids
 */
export const endInvitationsOf = (
  db: Queryable,
  businessId: string,
  member: { accountId: string; email: string },
): Promise<string[]> =>
  endInvitations(db, 'business_id = $1 and (invited_by = $2 or email = $3)', [
    businessId,
    member.accountId,
    member.email,
  ])

/** Ends all open invitations to own a business. @returns their ids */
export const endOwnerInvitations = (db: Queryable, businessId: string): Promise<string[]> =>
  endInvitations(db, `business_id = $1 and role = 'owner'`, [businessId])

/**
 * Ends an address's links that reset its password, prove it or make it an operator. Call it before locking
 * the account, in the order of
 * `acceptInvitation`.
 * @returns their ids
 */
export const endLinksFor = (
  db: Queryable,
  email: string,
  ...purposes: Exclude<Purpose, 'member'>[]
): Promise<string[]> => endInvitations(db, 'email = $1 and purpose = any($2)', [normalEmail(email), purposes])

/**
 * Ends the invitations that a person sent as an operator; those sent as the owner of a business stay.
 * @returns their ids
 */
export const endOffersOfOperator = (db: Queryable, accountId: string): Promise<string[]> =>
  endInvitations(
    db,
    `invited_by = $1 and not exists (select 1 from members m where m.business_id = i.business_id and m.account_id = $1 and m.role = 'owner')`,
    [accountId],
  )

/** Ends all invitations that an account sent, in every business. @returns their ids */
export const endInvitationsBy = (db: Queryable, accountId: string): Promise<string[]> =>
  endInvitations(db, 'invited_by = $1', [accountId])

/** Revokes an invitation. @throws ApiError 404 */
export async function revokeInvitation(
  ctx: { db: Db },
  actor: Actor,
  businessId: string,
  id: string,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await confirmActor(tx, actor)
    const [row] = isUuid(id)
      ? await tx.query<{ email: string; role: Role }>(
          `update invitations i set revoked_at = now() where id = $1 and business_id = $2 and ${open} returning email, role`,
          [id, businessId],
        )
      : []
    if (!row) throw notFound('invitation')
    await recordAudit(tx, actor, { businessId, action: 'invitation.revoked', target: id, before: row })
  })
}

/**
 * Finds an invitation by its token. @throws ApiError 404 when it does not exist, was used, was revoked or has
 * expired
 */
export async function findInvitation(
  db: Queryable,
  token: string,
): Promise<Invitation & { hasAccount: boolean }> {
  const [row] = await db.query<Invitation & { hasAccount: boolean }>(
    `select i.id, i.purpose, i.business_id as "businessId", b.name as "businessName", i.email, i.role, by.email as "invitedBy",
            i.invited_by as "invitedById", i.mail is not null as "isMailed", i.keeps, i.expires_at as "expiresAt", exists (select 1 from accounts a where a.email = i.email) as "hasAccount"
     from invitations i left join businesses b on b.id = i.business_id left join accounts by on by.id = i.invited_by
     where i.token_hash = $1 and ${open} and ${offered}`,
    [hashOfLinkToken(token)],
  )
  if (!row) throw notFound('invitation')
  return row
}

/** Marks an invitation as used, once. @throws ApiError 404 when it was used meanwhile */
export async function useInvitation(tx: Tx, id: string): Promise<void> {
  const used = await tx.query(
    `update invitations i set accepted_at = now() where id = $1 and ${open} and ${offered} returning id`,
    [id],
  )
  if (used.length === 0) throw notFound('invitation')
}
