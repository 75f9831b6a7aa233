import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { listen } from '../../src/platform/http/http.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Person,
  sessionOf,
  tokenOf,
} from '../support/dashboardSession.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { giveBalance } from '../support/madePayout.ts'
import { type MailServer, startMailServer, type TakenMail } from '../support/smtpServer.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Mails about events, as members choose them, from real payments to a mail server.

let stack: Stack
let server: MailServer
const baseUrl = 'https://pay.example.com'

beforeAll(async () => {
  server = await startMailServer()
  stack = await createStack({
    processes: ['api', 'indexer', 'worker'],
    env: {
      SMTP_URL: server.url,
      MAIL_FROM: 'Example Pay <pay@example.com>',
      MAIL_RETRY_SECONDS: '1,1',
      NOTIFICATION_SECONDS: '2',
      NODE_EXTRA_CA_CERTS: server.certificateFile,
      BASE_URL: baseUrl,
    },
  })
})
afterAll(async () => {
  await stack?.close()
  await server?.close()
})
beforeEach(() => {
  server.mode = 'take'
})

const prove = async (person: Person) => {
  await stack.db.query('update accounts set email_proven_at = now() where id = $1', [person.id])
  return person
}
const memberOf = async (role: 'owner' | 'viewer' = 'viewer') =>
  prove(await addMember(stack, stack.businessId, role))
async function inBusiness<T = { kinds: string[] }>(
  person: Person,
  method: string,
  path: string,
  body?: object,
  businessId = stack.businessId,
) {
  const { headers } = await sessionOf(stack, person)
  return dashboard<T>(stack, method, `/businesses/${businessId}${path}`, body, headers)
}
async function choose(person: Person, ...kinds: string[]) {
  const { status, body } = await inBusiness(person, 'PUT', '/notifications', { kinds })
  expect([status, body.kinds]).toEqual([200, kinds])
}
const mailsTo = ({ email }: Person): TakenMail[] => server.taken.filter(({ to }) => to.includes(email))
const countOf = ({ subject }: TakenMail) => Number(subject.split(' ')[0])
const told = (person: Person) => mailsTo(person).reduce((sum, mail) => sum + countOf(mail), 0)
const tells = (person: Person, count: number) =>
  waitFor(`mails about ${count} events`, async () => told(person) >= count)
async function paid(count = 1, body: object = {}) {
  const sessions = []
  for (let i = 0; i < count; i++) sessions.push(await stack.createSession(body))
  for (const session of sessions) await stack.pay(session)
  await stack.mine(3)
  for (const { id } of sessions) await stack.sessionIs(id, 'paid')
  return sessions
}
/** Every choice has looked at all events, and no mail waits. */
const settled = () =>
  waitFor('the end of the mails', async () => {
    const waiting = await stack.db.query(
      `select from notification_choices c join event_sequences s using (business_id) join members m using (business_id, account_id)
       where s.last > c.seen and coalesce(c.wanted, m.role = 'owner') union all select from notifications`,
    )
    return waiting.length === 0
  })
const apiUrl = (url: string) => url.replace(baseUrl, `http://127.0.0.1:${stack.processes.get('api')?.port()}`)
const stopUrlOf = (mail: TakenMail | undefined) =>
  /^List-Unsubscribe: <(https:\/\/pay\.example\.com\/unsubscribe\/[\w-]{66})>$/m.exec(
    mail?.head ?? '',
  )?.[1] ?? ''

test('a payment is mailed to the member who chose it, and to no other, with its amount and reference', async () => {
  const [chose, other] = [await memberOf(), await memberOf()]
  const stranger = await prove(await addPerson(stack))
  const elsewhere = await addBusiness(stack, stranger)
  const choice = { kinds: ['paid', 'exception'] }
  expect((await inBusiness(stranger, 'PUT', '/notifications', choice)).status).toBe(404)
  expect((await inBusiness(stranger, 'PUT', '/notifications', choice, elsewhere)).status).toBe(200)
  await choose(chose, 'paid')
  const [session] = await paid(1, {
    amount: '12.5',
    reference: 'order-7',
    label: 'Table\r\nBcc: x@example.com',
  })
  await tells(chose, 1)
  await settled()
  const [mail] = mailsTo(chose)
  expect(mail?.subject).toBe('1 payment was paid at pay.example.com')
  expect(mail?.text).toContain('12.5 USDC on ethereum, "Table Bcc: x@example. com", reference "order-7"')
  expect(mail?.text).toContain(`${baseUrl}/dashboard/b/${stack.businessId}/payments/${session?.id}`)
  expect(mail?.head).not.toMatch(/^Bcc/m)
  expect(mail?.head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect([told(other), told(stranger)]).toEqual([0, 0])
})

test('a choice that is taken back ends the mails; so does one request to the link of a mail, and no reading of it', async () => {
  const [offAgain, unsubscribes] = [await memberOf(), await memberOf()]
  await choose(offAgain, 'paid', 'exception')
  await choose(unsubscribes, 'paid', 'exception')
  await paid()
  await tells(offAgain, 1)
  await tells(unsubscribes, 1)
  await choose(offAgain, 'exception')
  const url = stopUrlOf(mailsTo(unsubscribes)[0])
  const seen = await fetch(apiUrl(url))
  expect([seen.status, await seen.text()]).toEqual([200, expect.stringContaining('Stop these mails')])
  expect((await fetch(apiUrl(url), { method: 'HEAD' })).status).toBe(200)
  expect((await inBusiness(unsubscribes, 'GET', '/notifications')).body.kinds).toEqual(['paid', 'exception'])
  const forged = `${url.slice(0, -2)}${url.endsWith('AA') ? 'BB' : 'AA'}`
  expect((await fetch(apiUrl(forged), { method: 'POST' })).status).toBe(404)
  for (let i = 0; i < 2; i++) {
    const stopped = await fetch(apiUrl(url), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect([stopped.status, await stopped.text()]).toEqual([200, expect.stringContaining('no more of these')])
  }
  expect((await inBusiness(unsubscribes, 'GET', '/notifications')).body.kinds).toEqual(['exception'])
  const session = await stack.createSession()
  await stack.pay(session, '1')
  await stack.pay(session, '120')
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid', 'overpaid')
  await waitFor('both exceptions', async () => told(offAgain) > 1 && told(unsubscribes) > 1)
  await settled()
  for (const person of [offAgain, unsubscribes])
    expect(mailsTo(person).map(({ subject }) => subject)).toEqual([
      '1 payment was paid at pay.example.com',
      '1 payment is not as requested at pay.example.com',
    ])
})

test('200 payments at once are few mails, whose counts add up to 200', async () => {
  const member = await memberOf()
  await choose(member, 'paid')
  await paid(200, { amount: '1' })
  await tells(member, 200)
  await settled()
  expect(told(member)).toBe(200)
  expect(mailsTo(member).length).toBeLessThan(40)
})

test('a worker that is killed while it sends leaves one mail, under its id', async () => {
  // A silent server takes seconds for each mail.
  await stack.db.query('update notification_choices set wanted = false')
  const member = await memberOf()
  await choose(member, 'paid')
  server.mode = 'silent'
  server.asked.length = 0
  await paid()
  await waitFor('the attempt', async () => server.asked.includes(member.email))
  const worker = stack.processes.get('worker')
  worker?.kill('SIGKILL')
  await worker?.ended
  server.mode = 'take'
  const waiting = await stack.db.query<{ id: string; events: number }>(
    'update notifications set next_attempt_at = now() where account_id = $1 returning id, events',
    [member.id],
  )
  expect(waiting).toMatchObject([{ events: 1 }])
  await stack.start('worker')
  await tells(member, 1)
  await settled()
  expect(mailsTo(member).map(({ messageId }) => messageId)).toEqual([`<${waiting[0]?.id}@pay.example.com>`])
})

test('owners are mailed that a payout failed, unless they refuse that', async () => {
  const [asks, refuses, quiet] = [await memberOf('owner'), await memberOf('owner'), await memberOf('owner')]
  await choose(quiet, 'paid')
  await giveBalance(stack.db, stack.businessId, { chain: 'ethereum', token: 'USDC' }, 1_000_000_000n)
  const destination = await makeDestination(stack.db, stack.businessId)
  const limits = { coolingOffHours: 24, approvalAbove: '50' }
  expect((await inBusiness(asks, 'PUT', '/payout-settings', limits)).status).toBe(200)
  const answer = await fetch(apiUrl(`${baseUrl}/api/v1/payouts`), {
    method: 'POST',
    headers: { ...(await tokenOf(stack, asks)), 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: '60',
      source: { chain: 'ethereum', token: 'USDC' },
      destination: { id: destination },
      reference: 'supplier-77',
    }),
  })
  const payout = (await answer.json()) as { id: string; status: string; approval: { id: string } }
  expect([answer.status, payout]).toMatchObject([201, { status: 'awaiting_approval' }])
  const path = `/approvals/${payout.approval.id}/decision`
  expect((await inBusiness(refuses, 'PUT', path, { decision: 'refused' })).status).toBe(200)
  await tells(asks, 1)
  await settled()
  const [mail] = mailsTo(asks)
  expect(mail?.subject).toBe('1 payout failed at pay.example.com')
  expect(mail?.text).toContain(
    '60 USDC on ethereum, it was not paid (approval refused), reference "supplier-77"',
  )
  expect(mail?.text).toContain(`/payouts/${payout.id}`)
  expect([told(refuses), told(quiet)]).toEqual([1, 0])
})

test('owners are mailed that a webhook endpoint fails', async () => {
  const owner = await memberOf('owner')
  const gone = createServer((_request, response) => void response.writeHead(410).end())
  const port = await listen(gone, 0, '127.0.0.1')
  const url = `http://127.0.0.1:${port}/hook`
  const made = await stack.api('POST', '/webhook-endpoints', { url, eventTypes: ['session.cancelled'] })
  expect(made.status).toBe(201)
  const session = await stack.createSession()
  await stack.api('POST', `/pos/sessions/${session.id}/cancel`)
  await tells(owner, 1)
  const [mail] = mailsTo(owner)
  expect(mail?.subject).toMatch(/^\d reports? of (a )?failing webhook endpoints? at pay\.example\.com$/)
  expect(mail?.text).toContain('is paused: it answered that it is gone')
  expect(mail?.text).toMatch(/\/settings\/webhooks\/[0-9a-f-]{36}\r\n/)
  gone.close()
})

test('a cashier chooses none', async () => {
  const cashier = await addMember(stack, stack.businessId, 'cashier')
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { kinds: [] }],
  ] as const)
    expect(await inBusiness(cashier, method, '/notifications', body)).toMatchObject({
      status: 403,
      body: { error: 'insufficient_role' },
    })
})
