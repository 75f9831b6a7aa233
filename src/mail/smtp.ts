import { createTransport } from 'nodemailer'
import type { Secret } from '../platform/secrets.ts'

export interface OutgoingMail {
  /** The same at each attempt, so that a mailbox can detect duplicates. */
  messageId: string
  to: string
  subject: string
  text: string
}

export type SendMail = (mail: OutgoingMail) => Promise<SendOutcome>

/** `refused`: the server will never accept it. `failed`: retry. */
export type SendOutcome = { outcome: 'sent' } | { outcome: 'refused' | 'failed'; reason: string }

interface SmtpFailure {
  code?: string
  responseCode?: number
  command?: string
}

/** Timeouts for one step and for the whole attempt; shorter than a mail's lease. */
const stepMs = 10_000
const wholeMs = 45_000

/**
 * Mail by SMTP. `smtps://` is TLS from the start; `smtp://` must offer STARTTLS, because the links are as sensitive as passwords, unless the URL says
 * `?starttls=optional`.
 */
export function createSmtp(url: Secret, from: string): { send: SendMail; close(): void } {
  const { href, wantsTls } = readUrl(url)
  const transport = createTransport({
    url: href,
    requireTLS: wantsTls,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // One connection per mail: there are few.
    pool: false,
  })

  async function send({ to, ...mail }: OutgoingMail): Promise<SendOutcome> {
    let timer: NodeJS.Timeout | undefined
    // A server that sends a byte now and then never triggers the socket timeout.
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), wholeMs)
    })
    try {
      // As an object: a string would be parsed, and could name two mailboxes.
      const sending = transport.sendMail({ ...mail, from, to: { name: '', address: to }, headers: { 'Auto-Submitted': 'auto-generated' } })
      await Promise.race([sending, tooLate])
      return { outcome: 'sent' }
    } catch (error) {
      return failureOf(error as SmtpFailure)
    } finally {
      clearTimeout(timer)
    }
  }
  return { send, close: () => transport.close() }
}

function readUrl(url: Secret): { href: string; wantsTls: boolean } {
  const parsed = new URL(url.reveal())
  const optional = parsed.searchParams.get('starttls') === 'optional'
  parsed.search = ''
  return { href: parsed.href, wantsTls: parsed.protocol === 'smtp:' && !optional }
}

/** Returns codes only: a server's text may repeat the mail. Refusals of sender or recipient are final; other failures may be temporary. */
function failureOf({ code, responseCode, command }: SmtpFailure): SendOutcome {
  const reason = [code ?? 'unknown', responseCode, command].filter((part) => part !== undefined).join(' ')
  const isFinal = (responseCode ?? 0) >= 500 && /^(RCPT TO|DATA|MAIL FROM)/.test(command ?? '')
  return { outcome: isFinal ? 'refused' : 'failed', reason: reason.slice(0, 100) }
}
