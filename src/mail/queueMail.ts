import { openText, sealText } from '../custody/sealText.ts'
import type { Queryable } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'

/** What a mail is about; its link carries an invitation's token. */
export type MailKind = 'member' | 'operator' | 'reset' | 'prove'

/** What it takes to put a mail into the queue; a deployment without SMTP has none. */
export interface Mailing {
  appKey: Secret
}

const context = (mailId: string) => `cowry/mail/v1/${mailId}`

/** Queues the mail of an invitation, in its transaction. The worker sends it after the commit; until then only the sealed row has the token. */
export async function queueMail(
  ctx: Mailing,
  db: Queryable,
  mail: { kind: MailKind; email: string; invitationId: string; token: Secret },
): Promise<void> {
  const id = newId()
  await db.query('insert into mails (id, kind, email, invitation_id, sealed) values ($1, $2, $3, $4, $5)', [
    id,
    mail.kind,
    mail.email,
    mail.invitationId,
    sealMailToken(ctx, id, mail.token),
  ])
}

/** Queues a reset that somebody asked for. The worker finds out whether the address has an account, so that the asker cannot. */
export async function queueReset(db: Queryable, email: string): Promise<void> {
  await db.query(`insert into mails (id, kind, email) values ($1, 'reset', $2)`, [newId(), email])
}

export const sealMailToken = (ctx: Mailing, mailId: string, token: Secret): Buffer => sealText(ctx.appKey, context(mailId), token)
export const openMailToken = (ctx: Mailing, mailId: string, sealed: Uint8Array): Secret => openText(ctx.appKey, context(mailId), sealed)
