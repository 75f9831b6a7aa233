import { claimSql, endAttempt, type SendContext } from '../mail/endAttempt.ts'
import type { Secret } from '../platform/secrets.ts'
import { composeNotification, type HappenedEvent, maxListed } from './composeNotification.ts'
import { getsKindSql, mayBeMailedSql, type NotificationKind, typesOf } from './kinds.ts'
import { unsubscribeUrl } from './unsubscribeToken.ts'

export interface NotificationContext extends SendContext {
  appKey: Secret
  baseUrl: string
}

interface Claimed {
  id: string
  businessId: string
  accountId: string
  kind: NotificationKind
  after: string
  upto: string
  events: number
  attempts: number
}

/** Sends the mail about events that has been due longest. @returns false where none is due */
export async function sendDueNotification(ctx: NotificationContext): Promise<boolean> {
  const [mail] = await ctx.db.query<Claimed>(
    claimSql(
      'notifications',
      'id, business_id as "businessId", account_id as "accountId", kind, after::text, upto::text, events, attempts',
    ),
  )
  if (!mail) return false
  const end = () => ctx.db.query('delete from notifications where id = $1', [mail.id])
  const to = await recipientOf(ctx, mail)
  if (!to) {
    await end()
    return true
  }
  const stopUrl = unsubscribeUrl(ctx.appKey, ctx.baseUrl, mail)
  const { subject, text } = composeNotification(
    { ...mail, businessName: to.businessName, listed: await eventsOf(ctx, mail) },
    { baseUrl: ctx.baseUrl, stopUrl },
  )
  const outcome = await ctx.send({
    messageId: `<${mail.id}@${new URL(ctx.baseUrl).hostname}>`,
    to: to.email,
    subject,
    text,
    // RFC 8058: a mail program ends them with one request, without a page.
    headers: { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  await endAttempt(ctx, 'notifications', mail, outcome, end)
  return true
}

/** Null where the member does not get it any more. */
async function recipientOf(
  ctx: NotificationContext,
  { businessId, accountId, kind }: Claimed,
): Promise<{ email: string; businessName: string } | null> {
  const [recipient] = await ctx.db.query<{ email: string; businessName: string }>(
    `select a.email, b.name as "businessName"
     from notification_choices c
       join members m on m.business_id = c.business_id and m.account_id = c.account_id
       join accounts a on a.id = c.account_id join businesses b on b.id = c.business_id
     where c.business_id = $1 and c.account_id = $2 and c.kind = $3 and ${getsKindSql('c', 'm')} and ${mayBeMailedSql('a', 'b')}`,
    [businessId, accountId, kind],
  )
  return recipient ?? null
}

/** The newest events that the mail is about; fewer where their bodies were erased. */
const eventsOf = (
  ctx: NotificationContext,
  { businessId, kind, after, upto }: Claimed,
): Promise<HappenedEvent[]> =>
  ctx.db.query<HappenedEvent>(
    `select type, created_at as at, data from events
     where business_id = $1 and sequence > $2 and sequence <= $3 and type = any($4) and erased_at is null
     order by sequence desc limit ${maxListed}`,
    [businessId, after, upto, typesOf[kind]],
  )
