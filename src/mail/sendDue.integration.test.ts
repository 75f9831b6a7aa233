import { randomBytes } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type MailServer, startMailServer } from '../../test/support/smtpServer.ts'
import { appKey } from '../../test/support/template.ts'
import { createAccount } from '../accounts/createAccount.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { createBusiness } from '../businesses/manageBusiness.ts'
import { findInvitation, inviteMember, revokeInvitation } from '../members/invitations.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { queueReset } from './queueMail.ts'
import { type MailContext, sendDueMail } from './sendDue.ts'
import { createSmtp } from './smtp.ts'

const actor = systemActor('test')
const mailing = { appKey: new Secret(appKey) }
let database: TestDatabase
let server: MailServer
let ctx: MailContext
let businessId: string
let smtp: ReturnType<typeof createSmtp>
const outcomes: string[] = []
/** The process may run other suites afterwards. */
const trusted = getCACertificates('default')

beforeAll(async () => {
  ;[database, server] = await Promise.all([createTestDatabase(), startMailServer()])
  setDefaultCACertificates([...trusted, server.certificate.cert])
  smtp = createSmtp(new Secret(server.url), 'Example Pay <pay@example.com>')
  ctx = {
    db: database.db,
    log: createLog('test', 'silent'),
    appKey: mailing.appKey,
    baseUrl: 'https://pay.example.com/',
    send: smtp.send,
    retrySeconds: [60, 120],
    observe: (outcome) => void outcomes.push(outcome),
  }
  const { id } = await createAccount(database.db, {
    email: 'owner@example.com',
    name: 'O',
    passwordHash: 'none',
  })
  const actsFor = { ...actor, kind: 'account' as const, id }
  businessId = (
    await createBusiness(database, actsFor, id, { name: 'Shop\r\nBcc: all@example.com http://evil.example' })
  ).id
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  smtp?.close()
  await server?.close()
  await database?.drop()
})
beforeEach(async () => {
  server.mode = 'take'
  server.taken.length = 0
  server.asked.length = 0
  outcomes.length = 0
  await database.db.query('delete from mails')
})

const invite = async (email = `${newId()}@example.com`) => {
  const { invitation, token } = await inviteMember(
    database,
    actor,
    businessId,
    { email, role: 'viewer' },
    mailing,
  )
  return { id: invitation.id, email, token: token.reveal() }
}
const rows = () => database.db.query<{ text: string }>('select m::text as text from mails m')
const stateOf = async (id: string) =>
  (await database.db.query<{ mail: string }>('select mail from invitations where id = $1', [id]))[0]?.mail
const makeDue = () => database.db.query('update mails set next_attempt_at = now()')
async function sendAll(): Promise<void> {
  while (await sendDueMail(ctx));
}

test('a mail is sent over TLS with the link, one recipient and a plain subject, and its row with the sealed token is deleted', async () => {
  const { id, email, token } = await invite()
  const [before] = await rows()
  expect([before?.text.includes(token), before?.text.includes(Buffer.from(token).toString('hex'))]).toEqual([
    false,
    false,
  ])
  await sendAll()
  expect(server.taken).toEqual([
    expect.objectContaining({
      to: [email],
      from: 'pay@example.com',
      subject: 'You are invited at pay.example.com',
      wasEncrypted: true,
    }),
  ])
  const { text = '' } = server.taken[0] ?? {}
  expect(text).toContain(`https://pay.example.com/dashboard/invitation#${token}`)
  expect(text).toContain('"Shop Bcc: all@example. com http: //evil. example" as viewer')
  expect([await rows(), await stateOf(id), outcomes]).toEqual([[], 'sent', ['sent']])
  expect(await findInvitation(database.db, token)).toMatchObject({ isMailed: true })
})

test('an address that reads like two is one recipient', async () => {
  const email = 'a@example.com,b@example.com>'.replaceAll('@example.com,b', ',b')
  await invite(email)
  await sendAll()
  expect(server.asked.length).toBeLessThanOrEqual(1)
  for (const { to } of server.taken) expect(to).toHaveLength(1)
})

test('ten workers send a mail once', async () => {
  const { email } = await invite()
  await Promise.all(Array.from({ length: 10 }, () => sendDueMail(ctx)))
  expect(server.taken.map(({ to }) => to)).toEqual([[email]])
})

test('a mail is retried under the same id when the server is busy or its answer is lost', async () => {
  const { id, email } = await invite()
  server.mode = 'later'
  await sendAll()
  expect([outcomes, await stateOf(id), (await rows()).length]).toEqual([['failed'], 'waiting', 1])
  server.mode = 'lost'
  await makeDue()
  await sendAll()
  server.mode = 'take'
  await makeDue()
  await sendAll()
  expect([outcomes, await stateOf(id)]).toEqual([['failed', 'failed', 'sent'], 'sent'])
  const ids = server.taken.filter(({ to }) => to.includes(email)).map(({ messageId }) => messageId)
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})

test('a refused mailbox is given up at once; a temporary failure after the last retry', async () => {
  server.mode = 'no'
  const first = await invite()
  await sendAll()
  expect([outcomes, await stateOf(first.id), await rows()]).toEqual([['given_up'], 'failed', []])
  server.mode = 'later'
  const second = await invite()
  for (let i = 0; i < 3; i++) {
    await makeDue()
    await sendAll()
  }
  expect([outcomes, await stateOf(second.id), await rows()]).toEqual([
    ['given_up', 'failed', 'failed', 'given_up'],
    'failed',
    [],
  ])
})

test('a mail that cannot be opened is retried as often as others, then given up, and does not block others', async () => {
  const unreadable = await invite()
  await database.db.query(
    'update mails set sealed = set_byte(sealed, length(sealed) - 1, get_byte(sealed, length(sealed) - 1) # 1)',
  )
  const { email } = await invite()
  await sendAll()
  expect([server.asked, outcomes, await stateOf(unreadable.id)]).toEqual([
    [email],
    ['failed', 'sent'],
    'waiting',
  ])
  expect(await database.db.query('select last_error from mails')).toEqual([
    { last_error: 'cannot be opened with this APP_KEY' },
  ])
  for (let i = 0; i < 2; i++) {
    await makeDue()
    await sendAll()
  }
  expect([outcomes, await stateOf(unreadable.id), await rows()]).toEqual([
    ['failed', 'sent', 'failed', 'given_up'],
    'failed',
    [],
  ])
})

test('a mail claimed by a worker with a wrong APP_KEY is sent later by one with the right key', async () => {
  const { id, email } = await invite()
  await sendDueMail({ ...ctx, appKey: new Secret(randomBytes(32).toString('base64')) })
  await makeDue()
  await sendAll()
  expect([server.asked, await stateOf(id)]).toEqual([[email], 'sent'])
})

test('a mail with a revoked link is not sent', async () => {
  const { id } = await invite()
  await revokeInvitation(database, actor, businessId, id)
  await sendAll()
  expect([server.asked, await rows()]).toEqual([[], []])
})

test('a server without TLS gets neither mail nor password', async () => {
  const plain = await startMailServer({ offersTls: false })
  const url = plain.url.replace(/\/\/.*@/, '//')
  const strict = createSmtp(new Secret(url), 'pay@example.com')
  const mail = { messageId: '<1@example.com>', to: 'a@example.com', subject: 's', text: 't' }
  expect(await strict.send(mail)).toMatchObject({ outcome: 'failed' })
  expect(plain.asked).toEqual([])
  const open = createSmtp(new Secret(`${url}?starttls=optional`), 'pay@example.com')
  expect(await open.send(mail)).toEqual({ outcome: 'sent' })
  strict.close()
  open.close()
  await plain.close()
})

test('a reset is mailed where there is an account; a request for any other address leaves no row', async () => {
  const { email } = await createAccount(database.db, {
    email: `${newId()}@example.com`,
    name: 'P',
    passwordHash: 'none',
  })
  await queueReset(database.db, 'nobody@example.com')
  await queueReset(database.db, email)
  await sendAll()
  expect(server.asked).toEqual([email])
  expect(server.taken[0]?.subject).toBe('Set a new password at pay.example.com')
  expect(await rows()).toEqual([])
  expect(await database.db.query(`select 1 from invitations where email = 'nobody@example.com'`)).toEqual([])
})
