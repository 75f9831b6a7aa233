import { createHash, randomBytes } from 'node:crypto'
import { type Actor, accountOf, confirmActor, recordAudit } from '../audit/recordAudit.ts'
import { type Mailing, queueMail } from '../mail/queueMail.ts'
import type { Db, Queryable, Tx } from '../platform/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import type { Role } from './caller.ts'
import { normalEmail } from './findAccount.ts'
import { lockBusiness } from './lockBusiness.ts'

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

/** How far the mail of an invitation is. */
export type MailState = 'waiting' | 'sent' | 'failed'

/** What an invitation is for: `reset` sets a new password, `prove` shows whose an account's address is. */
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
  /** Only its mailbox ever had the link. */
  isMailed: boolean
  /** Of a reset: businesses that an unproven account stays in. */
  keeps: string[]
  expiresAt: Date
}

/** `invite_` and 256 random bits, of which only a hash is kept. */
const newToken = () => `invite_${randomBytes(32).toString('base64url')}`
const hashOf = (token: string) => createHash('sha256').update(`cowry/invitation/${token}`).digest()
const open = 'i.accepted_at is null and i.revoked_at is null and i.expires_at > now()'
/** Who offered it may still do so. What takes that from them ends what they offered, too: this is for what did not. A link that proves an address is asked for by its own account. */
const offered = `(i.invited_by is null or i.purpose = 'prove' or exists (select 1 from accounts a where a.id = i.invited_by and a.operator)
  or exists (select 1 from members m where m.business_id = i.business_id and m.account_id = i.invited_by and m.role = 'owner'))`

/**
 * Makes an invitation; an earlier one for the same is void.
 * @returns its id and its token; and what is void by it
 */
export async function makeInvitation(
  db: Queryable,
  wanted: {
    purpose: Purpose
    businessId?: string
    role?: Role
    email: string
    invitedBy: string | null
    /** The token goes to the mailbox, and is shown to nobody. */
    isMailed?: boolean
    keeps?: readonly string[]
    holds?: '7 days' | '1 day'
  },
): Promise<{ id: string; token: Secret; voided: string[] }> {
  const { purpose, businessId = null, role = null, invitedBy, isMailed = false, keeps = [], holds = usually } = wanted
  const email = normalEmail(wanted.email)
  const token = newToken()
  const id = newId()
  // A mailed reset can be asked for by anybody: it must not void what the operator handed over.
  const isSame = `purpose = $1 and business_id is not distinct from $2 and email = $3 and (purpose <> 'reset' or (mail is not null) = $4)`
  const voided = await endInvitations(db, isSame, [purpose, businessId, email, isMailed])
  await db.query(
    `insert into invitations (id, purpose, business_id, email, role, token_hash, invited_by, mail, keeps, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::interval)`,
    [id, purpose, businessId, email, role, hashOf(token), invitedBy, isMailed ? 'waiting' : null, keeps, holds],
  )
  return { id, token: new Secret(token), voided }
}

/**
 * Gives a queued reset its link, which holds for an hour; an earlier mailed one is void. The database writes it: a worker has the right to make no
 * other link.
 * @param seal closes the token for the mail's row
 */
export async function offerMailedReset(
  db: Queryable,
  mailId: string,
  seal: (token: Secret) => Buffer,
): Promise<{ invitationId: string; sealed: Buffer }> {
  const token = newToken()
  const invitationId = newId()
  const sealed = seal(new Secret(token))
  await db.query('select offer_mailed_reset($1, $2, $3, $4)', [mailId, invitationId, hashOf(token), sealed])
  return { invitationId, sealed }
}

/** Ends all open invitations of which this is true. @returns their ids */
async function endInvitations(db: Queryable, condition: string, values: unknown[]): Promise<string[]> {
  const ended = await db.query<{ id: string }>(`update invitations i set revoked_at = now() where (${condition}) and ${open} returning id`, values)
  return ended.map(({ id }) => id).toSorted()
}

/** What the audit log says of invitations that something ended besides: their ids, where there were any. */
export const auditOfVoided = (voided: readonly string[]): { invitationsVoided?: readonly string[] } =>
  voided.length > 0 ? { invitationsVoided: voided } : {}

/**
 * Invites somebody to a business.
 * @param mailing the link is mailed, and the token is for nobody else
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
    // One after the other: of two invitations for one address the first is void.
    await lockBusiness(tx, businessId)
    await confirmActor(tx, actor)
    const email = normalEmail(wanted.email)
    const already = await tx.query('select 1 from members m join accounts a on a.id = m.account_id where m.business_id = $1 and a.email = $2', [
      businessId,
      email,
    ])
    if (already.length > 0) throw new ApiError(409, 'already_member', 'This address belongs to a member')
    const invitedBy = accountOf(actor)
    const isMailed = mailing !== null
    const { id, token, voided } = await makeInvitation(tx, { purpose: 'member', businessId, role: wanted.role, email, invitedBy, isMailed })
    if (mailing) await queueMail(mailing, tx, { kind: 'member', email, invitationId: id, token })
    const after = { email, role: wanted.role, ...(isMailed ? { byMail: true } : {}), ...auditOfVoided(voided) }
    await recordAudit(tx, actor, { businessId, action: 'member.invited', target: id, after })
    const invitation = (await listInvitations(tx, businessId)).find((each) => each.id === id)
    if (!invitation) throw new Error('the invitation is gone')
    return { invitation, token }
  })
}

/** Invitations of a business that wait for an answer, the newest first; at most 200. */
export async function listInvitations(db: Queryable, businessId: string): Promise<InvitationView[]> {
  const rows = await db.query<Omit<InvitationView, 'createdAt' | 'expiresAt'> & { createdAt: Date; expiresAt: Date }>(
    `select i.id, i.email, i.role, i.mail, a.email as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt"
     from invitations i left join accounts a on a.id = i.invited_by where i.business_id = $1 and ${open} order by i.id desc limit 200`,
    [businessId],
  )
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString() }))
}

/** Ends what somebody offered in a business, and what was offered to them: they could come back, or send others, by it. @returns their ids */
export const endInvitationsOf = (db: Queryable, businessId: string, member: { accountId: string; email: string }): Promise<string[]> =>
  endInvitations(db, 'business_id = $1 and (invited_by = $2 or email = $3)', [businessId, member.accountId, member.email])

/** Ends all open invitations to own a business. @returns their ids */
export const endOwnerInvitations = (db: Queryable, businessId: string): Promise<string[]> =>
  endInvitations(db, `business_id = $1 and role = 'owner'`, [businessId])

/** Ends the links that set a new password for somebody, or make them an operator. Before their account is locked, as whoever uses one does. @returns their ids */
export const endLinksFor = (db: Queryable, email: string, ...purposes: Exclude<Purpose, 'member'>[]): Promise<string[]> =>
  endInvitations(db, 'email = $1 and purpose = any($2)', [normalEmail(email), purposes])

/** Ends what somebody offered as an operator; what they offer as the owner of a business stays. @returns their ids */
export const endOffersOfOperator = (db: Queryable, accountId: string): Promise<string[]> =>
  endInvitations(
    db,
    `invited_by = $1 and not exists (select 1 from members m where m.business_id = i.business_id and m.account_id = $1 and m.role = 'owner')`,
    [accountId],
  )

/** Ends all that an account has offered, wherever. @returns their ids */
export const endInvitationsBy = (db: Queryable, accountId: string): Promise<string[]> => endInvitations(db, 'invited_by = $1', [accountId])

/** Takes an invitation back. @throws ApiError 404 */
export async function revokeInvitation(ctx: { db: Db }, actor: Actor, businessId: string, id: string): Promise<void> {
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

/** The invitation of a token. @throws ApiError 404 when there is none, or it was used, taken back or is too old */
export async function findInvitation(db: Queryable, token: string): Promise<Invitation & { hasAccount: boolean }> {
  const [row] = await db.query<Invitation & { hasAccount: boolean }>(
    `select i.id, i.purpose, i.business_id as "businessId", b.name as "businessName", i.email, i.role, by.email as "invitedBy",
            i.invited_by as "invitedById", i.mail is not null as "isMailed", i.keeps, i.expires_at as "expiresAt", exists (select 1 from accounts a where a.email = i.email) as "hasAccount"
     from invitations i left join businesses b on b.id = i.business_id left join accounts by on by.id = i.invited_by
     where i.token_hash = $1 and ${open} and ${offered}`,
    [hashOf(token)],
  )
  if (!row) throw notFound('invitation')
  return row
}

/** Marks an invitation as used, once. @throws ApiError 404 when somebody was faster */
export async function useInvitation(tx: Tx, id: string): Promise<void> {
  const used = await tx.query(`update invitations i set accepted_at = now() where id = $1 and ${open} and ${offered} returning id`, [id])
  if (used.length === 0) throw notFound('invitation')
}
