import type { Db } from '../platform/database/db.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { SendMail, SendOutcome } from './smtp.ts'

export interface SendContext {
  db: Db
  log: Log
  send: SendMail
  /** Seconds after each failed attempt; after the last one a mail is given up. */
  retrySeconds: readonly number[]
  observe(outcome: 'sent' | 'failed' | 'given_up'): void
}

/** Where mails wait. */
type MailTable = 'mails' | 'notifications'

interface Attempted {
  id: string
  kind: string
  /** With this one. */
  attempts: number
}

/** Longer than an attempt may take: no other worker claims the mail meanwhile. */
const lease = '90 seconds'

/** SQL: claims the mail of a table that has been due longest. */
export const claimSql = (table: MailTable, columns: string): string =>
  `update ${table} set attempts = attempts + 1, next_attempt_at = now() + interval '${lease}'
   where id = (select id from ${table} where next_attempt_at <= now() order by next_attempt_at limit 1 for update skip locked)
   returning ${columns}`

/**
 * Notes the outcome of an attempt: a mail that was not sent is due again later, until it is given up.
 * @param end deletes the mail's row
 */
export async function endAttempt(
  ctx: Omit<SendContext, 'send'>,
  table: MailTable,
  mail: Attempted,
  outcome: SendOutcome,
  end: (state: 'sent' | 'failed') => Promise<unknown>,
): Promise<void> {
  if (outcome.outcome === 'sent') {
    await end('sent')
    ctx.observe('sent')
    return
  }
  const wait = outcome.outcome === 'refused' ? undefined : ctx.retrySeconds[mail.attempts - 1]
  const details = { mail: mail.id, kind: mail.kind, attempts: mail.attempts, reason: outcome.reason }
  if (wait === undefined) {
    await end('failed')
    ctx.observe('given_up')
    ctx.log.error(details, 'mail given up')
    return
  }
  await ctx.db.query(
    `update ${table} set last_error = $2, next_attempt_at = now() + $3 * interval '1 second' where id = $1`,
    [mail.id, outcome.reason, wait],
  )
  ctx.observe('failed')
  ctx.log.warn(details, 'mail not sent; will retry')
}
