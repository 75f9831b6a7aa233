import { type MailContext, mailState, sendDueMail } from '../src/mail/sendDue.ts'
import { createSmtp } from '../src/mail/smtp.ts'
import { ConfigError } from '../src/platform/config.ts'
import type { Db } from '../src/platform/db.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { Log } from '../src/platform/log.ts'
import type { Metrics } from '../src/platform/metrics.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { Secret } from '../src/platform/secrets.ts'

interface MailSettings {
  SMTP_URL?: Secret | undefined
  MAIL_FROM?: string | undefined
  MAIL_RETRY_SECONDS: readonly number[]
  APP_KEY: Secret
  BASE_URL: string
  RELAY_POLL_MS: number
}

/**
 * Sends mails until `signal` is aborted. The rows are their own outbox; any number of workers may run this. Without
 * settings no mail is sent.
 * @throws ConfigError if only one of the two settings is set
 */
export function startMail(ctx: { db: Db; log: Log; metrics: Metrics }, config: MailSettings, signal: AbortSignal): Promise<void> {
  const { SMTP_URL, MAIL_FROM } = config
  if ((SMTP_URL === undefined) !== (MAIL_FROM === undefined)) throw new ConfigError('set both SMTP_URL and MAIL_FROM, or neither')
  const mails = ctx.metrics.counter('mails_total', 'Mails sent, failed (will be retried) or given up', ['outcome'])
  for (const outcome of ['sent', 'failed', 'given_up']) mails.inc({ outcome }, 0)
  ctx.metrics.collected('mails_waiting', 'Mails waiting to be sent', [], async (gauge) => gauge.set((await mailState(ctx.db)).waiting))
  if (!SMTP_URL || !MAIL_FROM) return Promise.resolve()
  const smtp = createSmtp(SMTP_URL, MAIL_FROM)
  const { APP_KEY: appKey, BASE_URL: baseUrl, MAIL_RETRY_SECONDS: retrySeconds } = config
  const observe = (outcome: string) => mails.inc({ outcome })
  return run({ ...ctx, appKey, baseUrl, retrySeconds, send: smtp.send, observe }, config.RELAY_POLL_MS, signal).finally(smtp.close)
}

function run(ctx: MailContext, pollMs: number, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown): void => ctx.log.warn({ err: messageOf(error) }, 'sending mails failed; retrying')
  return repeat(signal, { everyMs: pollMs, failed }, async () => {
    while (!signal.aborted && (await sendDueMail(ctx)));
  })
}
