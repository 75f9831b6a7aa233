import { mkdtempSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { type Certificate, makeCertificate } from './certificate.ts'
import { waitFor } from './waitFor.ts'

/** A mail as the server received it. */
export interface TakenMail {
  from: string
  to: string[]
  subject: string
  messageId: string
  /** All headers, each on one line. */
  head: string
  text: string
  wasEncrypted: boolean
}

export interface MailServer {
  /** For `SMTP_URL`, with the password. */
  url: string
  password: string
  certificate: Certificate
  /** A file for `NODE_EXTRA_CA_CERTS`. */
  certificateFile: string
  taken: TakenMail[]
  /** Requested recipients, accepted or not. */
  asked: string[]
  /**
   * Treatment of the next mails; `no` refuses for good, `later` for now, `silent` never answers, `lost` takes
   * the mail and drops the connection.
   */
  mode: 'take' | 'no' | 'later' | 'silent' | 'lost'
  mailTo(address: string, count?: number): Promise<TakenMail>
  /** The token of the link in the newest mail to an address. */
  tokenTo(address: string, count?: number): Promise<string>
  close(): Promise<void>
}

const user = 'cowry'

/** An SMTP server in this process: it offers STARTTLS and takes mail only after it, from one user. */
export async function startMailServer({ offersTls = true } = {}): Promise<MailServer> {
  const password = 'p@ss/of:mail'
  const certificate = makeCertificate(['localhost'])
  const certificateFile = join(mkdtempSync(join(tmpdir(), 'cowry-smtp-')), 'ca.pem')
  writeFileSync(certificateFile, certificate.cert)
  const mailServer: MailServer = {
    url: '',
    password,
    certificate,
    certificateFile,
    taken: [],
    asked: [],
    mode: 'take',
    async mailTo(address, count = 1) {
      return waitFor(
        `mail ${count} to ${address}`,
        async () => mailServer.taken.filter(({ to }) => to.includes(address))[count - 1],
      )
    },
    async tokenTo(address, count = 1) {
      const { text } = await mailServer.mailTo(address, count)
      const [, token] = /\/dashboard\/invitation#(invite_[\w-]{43})\b/.exec(text) ?? []
      if (!token) throw new Error(`no link in: ${text}`)
      return token
    },
    close: () => new Promise((done) => void server.close(() => done())),
  }
  const refusal = (code: number) => Object.assign(new Error('not this one'), { responseCode: code })
  const server = new SMTPServer({
    ...certificate,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    authOptional: !offersTls,
    closeTimeout: 100,
    onAuth: (given, session, done) =>
      given.username === user && given.password === password && session.secure
        ? done(null, { user })
        : done(new Error('no')),
    onRcptTo({ address }, _session, done) {
      mailServer.asked.push(address)
      if (mailServer.mode === 'no') done(refusal(550))
      else if (mailServer.mode === 'later') done(refusal(451))
      else if (mailServer.mode !== 'silent') done()
    },
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (piece: Buffer) => {
        raw += piece.toString()
      })
      stream.on('end', () => {
        mailServer.taken.push(readMail(raw, session.envelope, session.secure))
        // The mail is taken, and the client gets no confirmation.
        if (mailServer.mode === 'lost')
          for (const each of server.connections)
            (each as { _socket?: { destroy(): void } })._socket?.destroy()
        else done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((done) => void server.listen(0, 'localhost', done))
  const { port } = server.server.address() as AddressInfo
  mailServer.url = `smtp://${user}:${encodeURIComponent(password)}@localhost:${port}`
  return mailServer
}

type Envelope = { mailFrom: false | { address: string }; rcptTo: { address: string }[] }

function readMail(raw: string, { mailFrom, rcptTo }: Envelope, wasEncrypted: boolean): TakenMail {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? ''
  const plain = body.join('\r\n\r\n')
  const text = /quoted-printable/i.test(unfolded)
    ? plain
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
  return {
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
    subject: header('Subject'),
    messageId: header('Message-ID'),
    head: unfolded,
    text,
    wasEncrypted,
  }
}
