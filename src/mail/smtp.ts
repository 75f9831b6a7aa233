import { createTransport } from 'nodemailer'
import type { Secret } from '../platform/secrets.ts'

export interface OutgoingMail {
  /** The same at each attempt, so that a mailbox can detect duplicates. */
  messageId: string
  to: string
  subject: string
  text: string
  headers?: Readonly<Record<string, string>>
}

export type SendMail = (mail: OutgoingMail) => Promise<SendOutcome>

/** `refused`: the server will never accept it. `failed`: retry. */
export type SendOutcome = { outcome: 'sent' } | { outcome: 'refused' | 'failed'; reason: string }

export interface Smtp {
  send: SendMail
  /** Connects and signs in, and sends nothing. @returns the codes of the failure; null if it works */
  verify(): Promise<string | null>
  close(): void
}

interface SmtpFailure {
  code?: string
  responseCode?: number
  command?: string
}

/** Timeouts for one step and for the whole attempt; shorter than a mail's lease. */
const stepMs = 10_000
const wholeMs = 45_000

/**
 * Mail by SMTP. `smtps://` is TLS from the start; `smtp://` must offer STARTTLS, because the links are as
 * sensitive as passwords, unless the URL has
 * `?starttls=optional`.
 */
export function createSmtp(url: Secret, from: string): Smtp {
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

  /** A server that sends a byte now and then never triggers the socket timeout. */
  async function inTime(work: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), wholeMs)
    })
    try {
      await Promise.race([work, tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  async function send({ to, headers, ...mail }: OutgoingMail): Promise<SendOutcome> {
    try {
      // As an object: a string would be parsed, and could name two mailboxes.
      await inTime(
        transport.sendMail({
          ...mail,
          from,
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        }),
      )
      return { outcome: 'sent' }
    } catch (error) {
      return failureOf(error as SmtpFailure)
    }
  }
  const verify = () =>
    inTime(transport.verify()).then(
      () => null,
      (error: SmtpFailure) => reasonOf(error),
    )
  return { send, verify, close: () => transport.close() }
}

function readUrl(url: Secret): { href: string; wantsTls: boolean } {
  const parsed = new URL(url.reveal())
  const optional = parsed.searchParams.get('starttls') === 'optional'
  parsed.search = ''
  return { href: parsed.href, wantsTls: parsed.protocol === 'smtp:' && !optional }
}

/**
 * Returns codes only: a server's text may repeat the mail. Refusals of sender or recipient are final; other
 * failures may be temporary.
 */
function failureOf(error: SmtpFailure): SendOutcome {
  const { responseCode, command } = error
  const isFinal = (responseCode ?? 0) >= 500 && /^(RCPT TO|DATA|MAIL FROM)/.test(command ?? '')
  return { outcome: isFinal ? 'refused' : 'failed', reason: reasonOf(error) }
}

const reasonOf = ({ code, responseCode, command }: SmtpFailure): string =>
  [code ?? 'unknown', responseCode, command]
    .filter((part) => part !== undefined)
    .join(' ')
    .slice(0, 100)
