import type { WorkerContext } from '../capability.ts'
import { type MakingContext, makeNotifications } from '../notifications/makeNotifications.ts'
import { sendDueNotification } from '../notifications/sendDueNotification.ts'
import { notificationSettings } from '../notifications/settings.ts'
import { ConfigError } from '../platform/config.ts'
import { messageOf } from '../platform/errors.ts'
import { repeat } from '../platform/repeat.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { type MailContext, mailState, sendDueMail } from './sendDue.ts'
import { mailSettings } from './settings.ts'
import { createSmtp } from './smtp.ts'

type Context = Pick<
  WorkerContext,
  'db' | 'log' | 'metrics' | 'appKey' | 'baseUrl' | 'pollMs' | 'settings' | 'stopping' | 'onStop'
>

/**
 * Sends mails, and makes those about events, until the worker stops. The rows are their own outbox; any number of workers may run this.
 * Without settings no mail is sent.
 * @throws ConfigError if only one of the two settings is set
 */
export function startMail(ctx: Context): void {
  const { SMTP_URL, MAIL_FROM, MAIL_RETRY_SECONDS: retrySeconds } = ctx.settings(mailSettings.worker)
  if ((SMTP_URL === undefined) !== (MAIL_FROM === undefined))
    throw new ConfigError('set both SMTP_URL and MAIL_FROM, or neither')
  const mails = ctx.metrics.counter('mails_total', 'Mails sent, failed (will be retried) or given up', [
    'outcome',
  ])
  for (const outcome of ['sent', 'failed', 'given_up']) mails.inc({ outcome }, 0)
  ctx.metrics.collected('mails_waiting', 'Mails waiting to be sent', [], async (gauge) =>
    gauge.set((await mailState(ctx.db)).waiting),
  )
  if (!SMTP_URL || !MAIL_FROM) return
  const smtp = createSmtp(SMTP_URL, MAIL_FROM)
  const { db, log, appKey, baseUrl } = ctx
  const observe = (outcome: string) => mails.inc({ outcome })
  const { NOTIFICATION_SECONDS: waitSeconds } = ctx.settings(notificationSettings)
  const loops = [
    send({ db, log, appKey, baseUrl, retrySeconds, send: smtp.send, observe }, ctx.pollMs, ctx.stopping),
    make({ db, log, waitSeconds }, ctx.pollMs, ctx.stopping),
  ]
  const working = Promise.all(loops).finally(smtp.close)
  ctx.onStop(async () => void (await working))
}

/** Links first: people wait for them. */
function send(ctx: MailContext, pollMs: number, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown): void =>
    ctx.log.warn({ err: messageOf(error) }, 'sending mails failed; retrying')
  return repeat(signal, { everyMs: pollMs, failed }, async () => {
    while (!signal.aborted && ((await sendDueMail(ctx)) || (await sendDueNotification(ctx))));
  })
}

function make(ctx: MakingContext & { log: Log }, pollMs: number, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown): void =>
    ctx.log.warn({ err: messageOf(error) }, 'making mails about events failed; retrying')
  return repeat(signal, { everyMs: pollMs, failed }, async () => {
    while (!signal.aborted && (await makeNotifications(ctx)));
  })
}
