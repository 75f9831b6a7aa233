import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { makeInvitation } from '../../src/members/invitations.ts'
import { openDb } from '../../src/platform/database/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { createRateLimiter, type RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Person,
  sessionOf,
  tokenOf,
} from '../support/dashboardSession.ts'
import { type MailServer, startMailServer } from '../support/smtpServer.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { appKey, urlAs } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

// An email address that an attacker used before its owner: the owner must not inherit the attacker's
// memberships.

let stack: Stack
let server: MailServer
const password = 'a-long-new-password-1'
const home = join(import.meta.dirname, '../..')

beforeAll(async () => {
  server = await startMailServer()
  stack = await createStack({
    processes: ['api', 'worker'],
    env: {
      SMTP_URL: server.url,
      MAIL_FROM: 'Example Pay <pay@example.com>',
      MAIL_RETRY_SECONDS: '1,1',
      NODE_EXTRA_CA_CERTS: server.certificateFile,
      BASE_URL: 'https://pay.example.com',
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  })
})
afterAll(async () => {
  await stack?.close()
  await server?.close()
})

const browserOf = async (person: Person): Promise<Browser> => {
  const browser = openBrowser(stack)
  const { headers } = await sessionOf(stack, person)
  const [name = '', value = ''] = (headers.cookie ?? '').split(/=(.*)/)
  browser.cookies.set(name, value)
  return browser
}
const invite = (owner: Browser, businessId: string, email: string, more: object = {}) =>
  owner.ask<{ token: string | null; invitation: { id: string } }>(
    'POST',
    `/businesses/${businessId}/invitations`,
    { email, role: 'owner', ...more },
  )
const accept = (token: string, more: object = {}) =>
  openBrowser(stack).ask<Me>('POST', '/invitations/accept', { token, name: 'P', password, ...more })
const businessesOf = async (email: string) =>
  (
    await stack.db.query<{ id: string }>(
      'select m.business_id as id from members m join accounts a on a.id = m.account_id where a.email = $1 order by m.created_at',
      [email],
    )
  ).map(({ id }) => id)
/** Waits until no mail is queued for an address. */
const mailsEnd = (email: string) =>
  waitFor(
    'the end of the mails',
    async () => (await stack.db.query('select 1 from mails where email = $1', [email])).length === 0,
  )
const account = (...command: string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    const env = {
      DATABASE_URL: stack.databaseUrl,
      APP_KEY: appKey,
      BASE_URL: 'https://pay.example.com',
      MAIL_FROM: 'pay@example.com',
    }
    const child = execFile(
      process.execPath,
      [...commandArguments, 'account', ...command],
      { cwd: home, env },
      (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }),
    )
  })

interface Me {
  account: { id: string; emailProven: boolean; defaultBusinessId: string | null }
  businesses: { id: string }[]
}

/**
 * An attacker opens an account for the victim's address in the attacker's business, through a link shown to
 * the attacker.
 */
async function squat() {
  const email = `victim-${newId()}@example.com`
  const attacker = await addPerson(stack)
  const trap = await addBusiness(stack, attacker)
  const attackerBrowser = await browserOf(attacker)
  const { body } = await invite(attackerBrowser, trap, email, { delivery: 'link' })
  const taken = await accept(body.token ?? '')
  expect([taken.status, taken.body.account.emailProven, taken.body.businesses.map(({ id }) => id)]).toEqual([
    200,
    false,
    [trap],
  ])
  return { email, attacker, trap, id: taken.body.account.id }
}

test('a reset removes everything that an attacker joined with the address, except businesses that the operator names', async () => {
  const { email, trap, id } = await squat()
  const honest = await addBusiness(stack, await addPerson(stack))
  await addMember(stack, honest, 'developer', { id, email })
  const shown = await account('reset', email, '--keep', honest)
  expect(shown.out).toContain(`ENDS  ${trap}  owner since`)
  expect(shown.out).toContain(`stays  ${honest}  developer since`)
  const [, token = ''] = /#(invite_[\w-]{43})\n$/.exec(shown.out) ?? []
  const seen = await openBrowser(stack).ask('POST', '/invitations/look', { token })
  expect(seen.body).toMatchObject({
    purpose: 'reset',
    isMailed: false,
    ends: [{ businessName: 'Business of a test', role: 'owner' }],
  })
  expect(await businessesOf(email)).toEqual([trap, honest])
  const reset = await accept(token)
  expect([reset.status, await businessesOf(email)]).toEqual([200, [honest]])
  const audited = await stack.db.query(
    'select before, after from audit_log where business_id = $1 and action = $2',
    [trap, 'member.removed'],
  )
  expect(audited).toEqual([{ before: { email, role: 'owner' }, after: { reason: 'address_not_proven' } }])
  expect(await account('reset', email, '--keep', trap)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is not a member'),
  })
})

test('a request of the attacker that is in progress during the reset joins no business', async () => {
  const { email, attacker, id } = await squat()
  const trap = await addBusiness(stack, attacker)
  const { token } = (await invite(await browserOf(attacker), trap, email, { delivery: 'link' })).body
  const again = await browserOf({ id, email })
  const waits = async () => {
    const [row] = await stack.db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return row?.count === 3
  }
  const under = await stack.db.tx(async (tx) => {
    // The locks of a reset, between locking the account and its commit.
    await tx.query('select 1 from accounts where id = $1 for update', [id])
    const asked = [
      again.ask('POST', '/businesses', { name: 'Trap' }),
      again.ask('POST', '/invitations/join', { token }),
      again.ask('PUT', '/me/default-business', { businessId: null }),
    ]
    await waitFor('requests waiting for the account', waits)
    await tx.query('delete from members where account_id = $1', [id])
    await tx.query('select 1 from sign_ins where account_id = $1 for update', [id])
    await tx.query('update sign_ins set revoked_at = now() where account_id = $1', [id])
    return { asked }
  })
  expect((await Promise.all(under.asked)).map(({ status }) => status)).toEqual([401, 401, 401])
  expect(await businessesOf(email)).toEqual([])
})

test('writes must name the business if there are several without a default; reads are unchanged; a default suffices', async () => {
  const person = await addPerson(stack)
  const first = await addBusiness(stack, person)
  const token = await tokenOf(stack, person)
  type Answer = { error: string; businesses: { id: string }[]; business: { id: string } }
  const bearer = async (method: string, path: string, more: Record<string, string> = {}, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, {
      method,
      headers: { ...token, ...(body ? { 'content-type': 'application/json' } : {}), ...more },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as Answer }
  }
  const write = (more: Record<string, string> = {}) =>
    bearer('POST', '/crypto/wallets/generate', more, { chain: 'ethereum' })
  expect((await write()).status).toBe(200)
  const second = await addBusiness(stack, await addPerson(stack))
  await addMember(stack, second, 'owner', person)
  const refused = await write()
  expect([refused.status, refused.body.error]).toEqual([400, 'business_required'])
  expect(refused.body.businesses).toEqual([
    { id: first, name: 'Business of a test' },
    { id: second, name: 'Business of a test' },
  ])
  // Checked before the rest of the request.
  expect((await bearer('POST', '/crypto/wallets/generate', {}, { nonsense: true })).body.error).toBe(
    'business_required',
  )
  expect((await bearer('GET', '/pos/sessions')).status).toBe(200)
  expect((await bearer('GET', '/auth/me')).body.business.id).toBe(first)
  for (const id of [first, second]) expect((await write({ 'x-business-id': id })).status).toBe(200)
  const here = await browserOf(person)
  const chosen = await here.ask<Me>('PUT', '/me/default-business', { businessId: first })
  expect([chosen.status, chosen.body.account.defaultBusinessId]).toEqual([200, first])
  expect((await write()).status).toBe(200)
  // A token belongs to one business: a new default applies from the next login, and never redirects a write.
  await here.ask('PUT', '/me/default-business', { businessId: second })
  expect((await write()).body.error).toBe('business_required')
  Object.assign(token, await tokenOf(stack, person))
  expect([(await write()).status, (await bearer('GET', '/auth/me')).body.business.id]).toEqual([200, second])
  expect(await here.ask('PUT', '/me/default-business', { businessId: stack.businessId })).toMatchObject({
    status: 404,
  })
  // Leaving the business also removes the default.
  await stack.db.query('delete from members where business_id = $1 and account_id = $2', [second, person.id])
  expect((await here.ask<Me>('GET', '/me')).body.account.defaultBusinessId).toBeNull()
})

test("a mailed reset returns an address to its mailbox: proven, and removed from the attacker's business", async () => {
  const { email, attacker, id } = await squat()
  await openBrowser(stack).ask('POST', '/reset', { email: ` ${email.toUpperCase()} `.trim() })
  const token = await server.tokenTo(email)
  const { body } = await accept(token)
  expect([body.account.emailProven, body.businesses]).toEqual([true, []])
  // A link handed over by the attacker proves nothing: it was not mailed.
  const third = await addBusiness(stack, attacker)
  const handed =
    (await invite(await browserOf(attacker), third, `${newId()}@example.com`, { delivery: 'link' })).body
      .token ?? ''
  expect((await accept(handed)).body.account.emailProven).toBe(false)
  // After the proof, a later reset ends no membership.
  await addMember(stack, third, 'viewer', { id, email })
  await openBrowser(stack).ask('POST', '/reset', { email })
  expect((await accept(await server.tokenTo(email, 2))).body.businesses).toEqual([
    expect.objectContaining({ id: third }),
  ])
})

test('a mailed invitation is shown to no other person, and accepting it proves the address', async () => {
  const owner = await addPerson(stack)
  const businessId = await addBusiness(stack, owner)
  const email = `${newId()}@example.com`
  const { status, body } = await invite(await browserOf(owner), businessId, email)
  expect([status, body.token]).toEqual([201, null])
  const token = await server.tokenTo(email)
  expect((await accept(token)).body).toMatchObject({
    account: { emailProven: true },
    businesses: [{ id: businessId }],
  })
  const entries = await stack.db.query<{ text: string }>('select l::text as text from audit_log l')
  const secrets = [token, server.password, encodeURIComponent(server.password)]
  for (const secret of secrets) {
    expect(entries.some(({ text }) => text.includes(secret))).toBe(false)
    expect(stack.logs().includes(secret)).toBe(false)
  }
  const [keys] = await stack.db.query<{ held: string }>(
    `select coalesce(string_agg(m::text, ''), '') as held from mails m`,
  )
  expect(secrets.some((secret) => keys?.held.includes(secret))).toBe(false)
})

test('a signed-in person proves the address by a link sent to its mailbox; an attacker in the account cannot', async () => {
  const { email, id } = await squat()
  const attackerBrowser = await browserOf({ id, email })
  expect((await attackerBrowser.ask('POST', '/me/address-proof')).status).toBe(202)
  const token = await server.tokenTo(email)
  const other = await browserOf(await addPerson(stack))
  expect((await other.ask('POST', '/invitations/join', { token })).status).toBe(404)
  expect((await accept(token)).status).toBe(409)
  expect((await attackerBrowser.ask<Me>('GET', '/me')).body.account.emailProven).toBe(false)
  expect(
    (await attackerBrowser.ask<Me>('POST', '/invitations/join', { token })).body.account.emailProven,
  ).toBe(true)
  expect(await attackerBrowser.ask('POST', '/me/address-proof')).toMatchObject({
    status: 409,
    body: { error: 'already_proven' },
  })
})

test('a mailbox alone does not remove the second factor of a proven account', async () => {
  const person = await addPerson(stack)
  await stack.db.query(
    `update accounts set email_proven_at = now(), totp_sealed = '\\x00', totp_enabled_at = now() where id = $1`,
    [person.id],
  )
  await openBrowser(stack).ask('POST', '/reset', { email: person.email })
  const browser = openBrowser(stack)
  const answer = await browser.ask('POST', '/invitations/accept', {
    token: await server.tokenTo(person.email),
    password,
  })
  expect([answer.status, browser.cookies.size]).toEqual([202, 0])
  expect(await browser.ask('POST', '/sign-in', { email: person.email, password })).toMatchObject({
    status: 401,
    body: { error: 'totp_required' },
  })
})

test('a mailbox alone does not unlock an account: it stays locked until a link from the operator is used', async () => {
  const person = await addPerson(stack)
  await stack.db.query('update accounts set email_proven_at = now() where id = $1', [person.id])
  const { headers } = await sessionOf(stack, person)
  const askForReset = async () => {
    await openBrowser(stack).ask('POST', '/reset', { email: person.email })
    await mailsEnd(person.email)
  }
  expect((await account('lock', person.email)).out).toContain('is locked; 1 sessions')
  await askForReset()
  expect(server.asked).not.toContain(person.email)
  // The worker checked the account just before, and writes the link just after.
  const { token } = await makeInvitation(stack.db, {
    purpose: 'reset',
    email: person.email,
    invitedBy: null,
    isMailed: true,
  })
  expect((await accept(token.reveal())).status).toBe(404)
  expect((await dashboard(stack, 'GET', '/me', undefined, headers)).status).toBe(401)
  expect((await openBrowser(stack).ask('POST', '/sign-in', { email: person.email, password })).status).toBe(
    401,
  )
  expect(await account('reset', person.email, '--mail')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('is locked'),
  })
  const [, handed = ''] = /#(invite_[\w-]{43})\n$/.exec((await account('reset', person.email)).out) ?? []
  expect((await accept(handed)).status).toBe(200)
  await askForReset()
  expect((await accept(await server.tokenTo(person.email))).status).toBe(200)
})

test('resets requested by others do not use up the mails of the owner, and of businesses that invite the address', async () => {
  const person = await addPerson(stack)
  const owner = await addPerson(stack)
  const [here, inviter] = [await browserOf(person), await browserOf(owner)]
  const businessId = await addBusiness(stack, owner)
  for (let i = 0; i < 6; i++)
    await openBrowser(stack).ask(
      'POST',
      '/reset',
      { email: person.email },
      { 'x-forwarded-for': `203.0.113.${100 + i}` },
    )
  const proofs = []
  for (let i = 0; i < 6; i++) proofs.push((await here.ask('POST', '/me/address-proof')).status)
  expect(proofs).toEqual([202, 202, 202, 202, 202, 429])
  const invitations = []
  for (let i = 0; i < 6; i++) invitations.push((await invite(inviter, businessId, person.email)).status)
  expect(invitations).toEqual([201, 201, 201, 201, 201, 429])
})

test('the role of the worker can only create the link of a requested reset by mail, and cannot change links', async () => {
  const worker = openDb(urlAs('worker', stack.databaseUrl), 1)
  const victim = await addPerson(stack, { operator: true })
  const businessId = await addBusiness(stack, victim)
  await stack.db.query(
    `update accounts set email_proven_at = now(), totp_sealed = '\\x00', totp_enabled_at = now() where id = $1`,
    [victim.id],
  )
  const link = () => {
    const token = `invite_${randomBytes(32).toString('base64url')}`
    return { id: newId(), token, hash: createHash('sha256').update(`cowry/invitation/${token}`).digest() }
  }
  const outcomeOf = (sql: string, values: unknown[] = []) =>
    worker.query(sql, values).then(
      () => 'done',
      (error: Error) => error.message,
    )
  const forge = async (
    purpose: string,
    email: string,
    of: [string, string] | [null, null] = [null, null],
  ) => {
    const { id, token, hash } = link()
    const insert = `insert into invitations (id, purpose, email, business_id, role, token_hash, expires_at) values ($1, $2, $3, $4, $5, $6, now() + interval '1 hour')`
    const results = await outcomeOf(insert, [id, purpose, email, ...of, hash])
    return [results, (await accept(token)).status]
  }
  const attacker = `${newId()}@example.com`
  const denied = (table: string) => `permission denied for table ${table}`
  for (const forged of [
    await forge('operator', attacker),
    await forge('member', attacker, [businessId, 'owner']),
    await forge('reset', victim.email),
  ])
    expect(forged).toEqual([denied('invitations'), 404])

  // Never due, so that the worker ignores it.
  const mail = newId()
  await stack.db.query(
    `insert into mails (id, kind, email, next_attempt_at) values ($1, 'reset', $2, 'infinity')`,
    [mail, victim.email],
  )
  const { id, token, hash } = link()
  const offer = 'select offer_mailed_reset($1, $2, $3, $4)'
  expect(await outcomeOf(offer, [mail, id, hash, Buffer.alloc(1)])).toBe('done')
  expect(await outcomeOf(offer, [mail, newId(), link().hash, Buffer.alloc(1)])).toMatch(
    /no reset that waits for its link/,
  )
  expect(
    await outcomeOf('update mails set email = $2, invitation_id = null where id = $1', [mail, attacker]),
  ).toBe(denied('mails'))
  expect(await outcomeOf('update invitations set mail = null where id = $1', [id])).toMatch(/was mailed/)
  expect(
    await outcomeOf(`update invitations set revoked_at = null, expires_at = 'infinity' where id = $1`, [id]),
  ).toBe(denied('invitations'))
  const browser = openBrowser(stack)
  expect([
    (await browser.ask('POST', '/invitations/accept', { token, password })).status,
    browser.cookies.size,
  ]).toEqual([202, 0])
  expect(await outcomeOf('update invitations set accepted_at = null where id = $1', [id])).toBe(
    denied('invitations'),
  )
  await worker.close()
})

test('a reset request does not reveal whether an account exists, and mails an address a limited number of times', async () => {
  const person = await addPerson(stack)
  const ask = async (email: string, from: string) => {
    const begun = performance.now()
    const { status, body } = await openBrowser(stack).ask(
      'POST',
      '/reset',
      { email },
      { 'x-forwarded-for': from },
    )
    return { results: JSON.stringify([status, body]), ms: performance.now() - begun }
  }
  const [known, unknown]: [number[], number[]] = [[], []]
  const results = new Set<string>()
  for (let i = 0; i < 12; i++) {
    const one = await ask(person.email, `203.0.113.${i}`)
    const two = await ask('nobody@example.com', `203.0.113.${i}`)
    known.push(one.ms)
    unknown.push(two.ms)
    results.add(one.results).add(two.results)
  }
  expect([...results]).toEqual(['[202,{"ok":true}]'])
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[6] ?? 0
  expect(Math.abs(median(known) - median(unknown))).toBeLessThan(Math.max(20, median(unknown)))
  await server.mailTo(person.email)
  await mailsEnd(person.email)
  expect(server.taken.filter(({ to }) => to.includes(person.email)).length).toBeLessThanOrEqual(5)
  expect(server.asked).not.toContain('nobody@example.com')
  let last = 0
  for (let i = 0; i < 21; i++)
    last = (await openBrowser(stack).ask('POST', '/reset', { email: `${newId()}@example.com` })).status
  expect(last).toBe(429)
})

describe('mails', () => {
  let redis: Redis
  let limiter: RateLimiter
  beforeAll(() => {
    redis = new Redis(stack.redis.urls.api)
    limiter = createRateLimiter(
      { redis, log: createLog('test', 'silent'), metrics: createMetrics('test') },
      'cowry',
    )
  })
  afterAll(() => redis?.disconnect())

  const [hour, day] = [3600, 24 * 3600]
  const owned = async () => {
    const owner = await addPerson(stack)
    return { browser: await browserOf(owner), businessId: await addBusiness(stack, owner) }
  }
  const retryAfter = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'))

  test('to one address are limited to five an hour over all businesses; links handed over do not count', async () => {
    const email = `${newId()}@example.com`
    for (let i = 0; i < 5; i++) {
      const { browser, businessId } = await owned()
      expect((await invite(browser, businessId, email)).status).toBe(201)
    }
    const { browser, businessId } = await owned()
    const refused = await invite(browser, businessId, email)
    expect(refused.status).toBe(429)
    expect(retryAfter(refused)).toBeLessThanOrEqual(hour)
    expect(await stack.db.query('select 1 from invitations where business_id = $1', [businessId])).toEqual([])
    expect((await invite(browser, businessId, `${newId()}@example.com`)).status).toBe(201)
    expect((await invite(browser, businessId, email, { delivery: 'link' })).status).toBe(201)
  })

  test('that prove an address have a separate limit: five an hour, fifteen a day', async () => {
    const { email, id } = await squat()
    const browser = await browserOf({ id, email })
    const ask = () => browser.ask('POST', '/me/address-proof')
    for (let hours = 0; hours < 3; hours++) {
      for (let i = 0; i < 5; i++) expect((await ask()).status).toBe(202)
      expect((await ask()).status).toBe(429)
      // Simulates the end of the hour.
      const of = createHash('sha256').update(email).digest('base64url').slice(0, 22)
      await limiter.giveBack({ name: 'mail-proof-address', of, max: 5, windowSeconds: hour }, 6)
    }
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(retryAfter(refused)).toBeGreaterThan(hour)
  })

  test('of one business are limited to a hundred a day over all members; other businesses are not affected', async () => {
    const [here, other] = [await owned(), await owned()]
    const second = await browserOf(await addMember(stack, here.businessId, 'owner'))
    const send = (browser: Browser, businessId: string) =>
      invite(browser, businessId, `${newId()}@example.com`)
    expect((await send(here.browser, here.businessId)).status).toBe(201)
    await limiter.count({ name: 'mail-business', of: here.businessId, max: 100, windowSeconds: day }, 98)
    expect((await send(second, here.businessId)).status).toBe(201)
    for (const browser of [here.browser, second]) {
      const refused = await send(browser, here.businessId)
      expect(refused.status).toBe(429)
      expect(retryAfter(refused)).toBeGreaterThan(hour)
    }
    expect((await send(other.browser, other.businessId)).status).toBe(201)
  })
})
