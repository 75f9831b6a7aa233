import { openText, sealText } from '../custody/sealText.ts'
import type { Queryable } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { mailContext } from './sealedColumns.ts'

/** The subject of a mail; its link carries an invitation's token. */
export type MailKind = 'member' | 'operator' | 'reset' | 'prove'

/** The key to queue mails with; a deployment without SMTP has no `Mailing`. */
export interface Mailing {
  appKey: Secret
}

/**
 * Queues the mail of an invitation, in its transaction. The worker sends it after the commit; until then only
 * the sealed row has the token.
 */
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

/**
 * Queues a requested reset. The worker checks whether the address has an account, so that the requester
 * cannot find out.
 */
export async function queueReset(db: Queryable, email: string): Promise<void> {
  await db.query(`insert into mails (id, kind, email) values ($1, 'reset', $2)`, [newId(), email])
}

export const sealMailToken = (ctx: Mailing, mailId: string, token: Secret): Buffer =>
  sealText(ctx.appKey, mailContext(mailId), token)
export const openMailToken = (ctx: Mailing, mailId: string, sealed: Uint8Array): Secret =>
  openText(ctx.appKey, mailContext(mailId), sealed)
