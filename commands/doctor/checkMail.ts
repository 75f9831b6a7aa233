import { mailSettings } from '../../src/mail/settings.ts'
import { createSmtp } from '../../src/mail/smtp.ts'
import { type DoctorContext, settingsIn, unreachable } from './context.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, advice, fault } = findingsOf('mail')

/** Signs in at the mail server, and sends nothing. */
export async function checkMail(ctx: DoctorContext): Promise<Finding[]> {
  const settings = settingsIn(ctx, 'worker', mailSettings.worker)
  if (!settings) return []
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  if (!url && !from)
    return [
      advice(
        'worker',
        'mail_off',
        'no mail is sent',
        'Set SMTP_URL and MAIL_FROM, or hand links for invitations and new passwords over.',
      ),
    ]
  if (!url || !from) {
    const missing = url ? 'MAIL_FROM' : 'SMTP_URL'
    return [
      fault(
        'worker',
        'mail_half',
        `${missing} is not set: no mail is sent`,
        `Set ${missing} too, or remove the other.`,
      ),
    ]
  }
  const smtp = createSmtp(url, from)
  try {
    const reason = await smtp.verify()
    return [
      reason === null
        ? ok('worker', 'the mail server takes the user')
        : refusal(reason, new URL(url.reveal()).host),
    ]
  } finally {
    smtp.close()
  }
}

function refusal(reason: string, host: string): Finding {
  const [code = ''] = reason.split(' ')
  if (code === 'EAUTH')
    return fault(
      'worker',
      'mail_password',
      `the mail server refuses the user or password (${reason})`,
      'Correct them in SMTP_URL; percent-encode special characters.',
    )
  if (code === 'ETLS')
    return fault(
      'worker',
      'mail_tls',
      `the mail server offers no STARTTLS (${reason})`,
      'Use smtps://, or another port (587); `?starttls=optional` only for a server in your own network.',
    )
  const away = unreachable(code, host)
  return fault(
    'worker',
    'mail_unreachable',
    away?.text ?? `the mail server cannot be used (${reason})`,
    away?.cure ?? 'Check SMTP_URL.',
  )
}
