import { recordAudit, systemActor } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import { composeMail, type MailFacts } from './composeMail.ts'
import { claimSql, endAttempt, type SendContext } from './endAttempt.ts'
import { normalEmail } from './normalEmail.ts'
import { offerMailedReset } from './offerMailedReset.ts'
import { type MailKind, openMailToken, sealMailToken } from './queueMail.ts'
import type { SendOutcome } from './smtp.ts'

export interface MailContext extends SendContext {
  appKey: Secret
  baseUrl: string
}

interface Claimed {
  id: string
  kind: MailKind
  email: string
  invitationId: string | null
  sealed: Buffer | null
  attempts: number
}

/** Sends the mail that has been due longest. @returns false where no mail is due */
export async function sendDueMail(ctx: MailContext): Promise<boolean> {
  const [claimed] = await ctx.db.query<Claimed>(
    claimSql('mails', 'id, kind, email, invitation_id as "invitationId", sealed, attempts'),
  )
  if (!claimed) return false
  const mail = claimed.sealed ? claimed : await openReset(ctx, claimed)
  const facts = mail && (await factsOf(ctx, mail))
  if (!mail?.sealed || !facts) {
    await ctx.db.query('delete from mails where id = $1', [claimed.id])
    return true
  }
  const token = openToken(ctx, mail.id, mail.sealed)
  const sent = token ? await send(ctx, mail, facts, token) : unreadable
  await endAttempt(ctx, 'mails', mail, sent, (state) => end(ctx, mail, state))
  return true
}

/** Counts as an attempt: the row may be damaged, or another worker may have the right key. */
const unreadable = { outcome: 'failed', reason: 'cannot be opened with this APP_KEY' } as const

function openToken(ctx: MailContext, mailId: string, sealed: Buffer): Secret | null {
  try {
    return openMailToken(ctx, mailId, sealed)
  } catch {
    return null
  }
}

function send(
  ctx: MailContext,
  mail: Claimed,
  facts: Omit<MailFacts, 'kind'>,
  token: Secret,
): Promise<SendOutcome> {
  const message = composeMail({ ...facts, kind: mail.kind }, token, ctx.baseUrl)
  return ctx.send({ ...message, to: mail.email, messageId: `<${mail.id}@${new URL(ctx.baseUrl).hostname}>` })
}

/** Creates the link of a requested reset; null where the address has no account, or a locked one. */
async function openReset(ctx: MailContext, mail: Claimed): Promise<Claimed | null> {
  return ctx.db.tx(async (tx) => {
    const [account] = await tx.query<{ email: string }>(
      'select email from accounts where email = $1 and locked_at is null',
      [normalEmail(mail.email)],
    )
    if (!account) return null
    const offered = await offerMailedReset(tx, mail.id, (token) => sealMailToken(ctx, mail.id, token))
    const after = { email: account.email, byMail: true }
    await recordAudit(tx, systemActor('reset by mail'), {
      businessId: null,
      action: 'account.reset_offered',
      target: offered.invitationId,
      after,
    })
    return { ...mail, ...offered }
  })
}

/** Reads the facts for the mail's text; null where the link is revoked, used or expired. */
async function factsOf(ctx: MailContext, mail: Claimed): Promise<Omit<MailFacts, 'kind'> | null> {
  const [facts] = await ctx.db.query<Omit<MailFacts, 'kind'>>(
    `select b.name as "businessName", i.role, by.email as "invitedBy", i.expires_at as "expiresAt"
     from invitations i left join businesses b on b.id = i.business_id left join accounts by on by.id = i.invited_by
     where i.id = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()`,
    [mail.invitationId],
  )
  return facts ?? null
}

async function end(ctx: MailContext, mail: Claimed, state: 'sent' | 'failed'): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await tx.query('delete from mails where id = $1', [mail.id])
    await tx.query('update invitations set mail = $2 where id = $1', [mail.invitationId, state])
  })
}

/** Mails still to be sent. */
export async function mailState(db: Pick<Db, 'query'>): Promise<{ waiting: number }> {
  const [state] = await db.query<{ waiting: number }>(
    'select ((select count(*) from mails) + (select count(*) from notifications))::int as waiting',
  )
  return state ?? { waiting: 0 }
}
