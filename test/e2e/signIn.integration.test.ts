import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { TOTP } from 'otpauth'
import { newId } from '../../src/platform/ids.ts'
import { addBusiness, addMember, addPerson, dashboard, type Headers, ownHeader, type Person } from '../support/dashboardSession.ts'
import { createStack, demoPassword, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['api'], env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(() => stack?.close())

interface Answer {
  status: number
  body: { error?: string; message?: string; accessToken?: string; expiresIn?: number; role?: string; [field: string]: unknown }
}

const base = (process = 'api') => `http://127.0.0.1:${stack.processes.get(process)?.port()}`

/** Asks one of the processes with an access token, and nothing else. */
async function ask(token: string | null, method = 'GET', path = '/auth/me', body?: object, process = 'api', from = '198.51.100.1'): Promise<Answer> {
  const response = await fetch(`${base(process)}/api/v1${path}`, {
    method,
    headers: {
      'x-forwarded-for': from,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

let addresses = 0
/** Each person has an address of their own: what strangers do from one address is limited in common. */
const newAddress = () => `10.1.${(++addresses >> 8) & 255}.${addresses & 255}`

interface Somebody extends Person {
  address: string
}
const somebody = async (): Promise<Somebody> => ({ ...(await addPerson(stack)), address: newAddress() })

const login = (person: Somebody, more: object = {}, process = 'api') =>
  ask(null, 'POST', '/auth/login', { email: person.email, password: demoPassword, ...more }, process, person.address)

async function tokenOf(person: Somebody, process = 'api'): Promise<string> {
  const { status, body } = await login(person, {}, process)
  expect(status).toBe(200)
  return body.accessToken ?? ''
}

/** Signs in as a browser does. @returns what it sends from then on */
async function browserOf(person: Somebody, more: object = {}): Promise<Headers> {
  const answer = await dashboard(stack, 'POST', '/sign-in', { email: person.email, password: demoPassword, ...more }, headersOf(person))
  expect(answer.status).toBe(200)
  return {
    ...headersOf(person),
    cookie: answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  }
}
const headersOf = ({ address }: Somebody): Headers => ({ ...ownHeader, 'x-forwarded-for': address })

const holds = async (token: string, process = 'api') => (await ask(token, 'GET', '/auth/me', undefined, process)).status !== 401
const inside = async (headers: Headers) => (await dashboard(stack, 'GET', '/me', undefined, headers)).status === 200

const issuer = 'http://localhost:3000'

describe('an access token', () => {
  test('is verified by an outsider with the published keys, and holds for 15 minutes', async () => {
    const person = await somebody()
    const { body } = await login(person)
    expect(body).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, account: { id: person.id, email: person.email } })
    const keys = createRemoteJWKSet(new URL(`${base()}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(body.accessToken ?? '', keys, { issuer, audience: 'cowry-api', typ: 'at+jwt' })
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({ sub: person.id, exp: (payload.iat ?? 0) + 900 })
    // Nothing of a person is in it.
    expect(JSON.stringify(payload)).not.toContain(person.email)
  })

  test('that was changed, or is not signed, is refused in the words of the specification', async () => {
    const token = await tokenOf(await somebody())
    const [header = '', payload = '', signature = ''] = token.split('.')
    const change = (part: string) => `${part.slice(0, 20)}${part[20] === 'x' ? 'y' : 'x'}${part.slice(21)}`
    const none = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(token), alg: 'none' })).toString('base64url')
    const broken = [
      [change(header), payload, signature].join('.'),
      [header, change(payload), signature].join('.'),
      [header, payload, change(signature)].join('.'),
      `${none}.${payload}.`,
      `${header}.${payload}`,
      'x',
    ]
    expect(await holds(token)).toBe(true)
    for (const each of broken)
      expect(await ask(each)).toMatchObject({
        status: 401,
        body: { error: 'Missing or invalid Authorization header', requestId: expect.any(String) },
      })
  })

  test('ends with the row that it names, however long it says it holds', async () => {
    const token = await tokenOf(await somebody())
    await stack.db.query('update sign_ins set expires_at = now() where id = $1', [decodeJwt(token).jti])
    expect(await holds(token)).toBe(false)
  })
})

describe('what is taken away is gone with the next request', () => {
  test("signing out everywhere ends every token and every session, and no one else's", async () => {
    const [person, neighbour] = [await somebody(), await somebody()]
    const [token, other, browser, second] = [await tokenOf(person), await tokenOf(neighbour), await browserOf(person), await browserOf(person)]
    expect([await holds(token), await inside(browser), await inside(second)]).toEqual([true, true, true])
    expect((await dashboard(stack, 'POST', '/sign-out-everywhere', undefined, browser)).status).toBe(200)
    expect([await holds(token), await inside(browser), await inside(second)]).toEqual([false, false, false])
    expect((await ask(token)).body.message).toContain('log in again')
    expect(await holds(other)).toBe(true)
    expect(await holds(await tokenOf(person))).toBe(true)
  })

  test('another password ends tokens and other sessions, and the old one signs in no more', async () => {
    const person = await somebody()
    const [token, browser, second] = [await tokenOf(person), await browserOf(person), await browserOf(person)]
    const change = { currentPassword: demoPassword, newPassword: 'another-lantern-in-the-fog' }
    expect((await dashboard(stack, 'POST', '/me/password', change, browser)).status).toBe(200)
    expect([await holds(token), await inside(browser), await inside(second)]).toEqual([false, true, false])
    expect((await login(person)).body.error).toBe('invalid_credentials')
    expect((await login(person, { password: change.newPassword })).status).toBe(200)
  })

  test('one of several sessions is ended by itself', async () => {
    const [person, neighbour] = [await somebody(), await somebody()]
    const [token, kept, browser] = [await tokenOf(person), await tokenOf(person), await browserOf(person)]
    const path = `/me/sign-ins/${decodeJwt(token).jti}/revoke`
    expect((await dashboard(stack, 'POST', path, undefined, await browserOf(neighbour))).status).toBe(404)
    expect(await holds(token)).toBe(true)
    expect((await dashboard(stack, 'POST', path, undefined, browser)).status).toBe(200)
    expect([await holds(token), await holds(kept), await inside(browser)]).toEqual([false, true, true])
  })

  test('a smaller role counts at once, and who is removed has no business', async () => {
    const [owner, member] = [await somebody(), await somebody()]
    const businessId = await addBusiness(stack, owner)
    await addMember(stack, businessId, 'developer', member)
    const [token, browser] = [await tokenOf(member), await browserOf(owner)]
    const generate = () => ask(token, 'POST', '/crypto/wallets/generate', { chain: 'ethereum' })
    expect((await generate()).status).toBe(200)
    expect((await dashboard(stack, 'PATCH', `/businesses/${businessId}/members/${member.id}`, { role: 'viewer' }, browser)).status).toBe(200)
    expect(await generate()).toMatchObject({ status: 403, body: { error: 'insufficient_role' } })
    expect((await ask(token)).body).toMatchObject({ role: 'viewer', scope: 'read', business: { id: businessId } })
    expect((await dashboard(stack, 'POST', `/businesses/${businessId}/members/${member.id}/remove`, undefined, browser)).status).toBe(200)
    expect(await generate()).toMatchObject({ status: 403, body: { error: 'no_business' } })
    expect((await ask(token)).body).toMatchObject({ role: null, business: null, permissions: expect.any(Array) })
  })
})

describe('the second factor', () => {
  const codeOf = (secret: string) => new TOTP({ secret }).generate()
  /** Time goes on to a step of which no code was used yet. */
  const later = ({ id }: Somebody) => stack.db.query('update accounts set totp_last_step = 0 where id = $1', [id])
  const notThe = (code: string) => (code === '123456' ? '654321' : '123456')

  /** Switches it on as the dashboard does. */
  async function withTotp() {
    const person = await somebody()
    const browser = await browserOf(person)
    const begun = await dashboard<{ secret: string; uri: string }>(stack, 'POST', '/me/totp', { password: demoPassword }, browser)
    expect((await dashboard(stack, 'POST', '/me/totp/enable', { totp: notThe(codeOf(begun.body.secret)) }, browser)).status).toBe(400)
    expect((await login(person)).status).toBe(200)
    const enabled = await dashboard<{ recoveryCodes: string[] }>(stack, 'POST', '/me/totp/enable', { totp: codeOf(begun.body.secret) }, browser)
    expect(enabled.status).toBe(200)
    return { person, browser, secret: begun.body.secret, recoveryCodes: enabled.body.recoveryCodes }
  }

  test('is asked for from then on: without it signing in says so, as often as it likes, and signs nobody in', async () => {
    const { person, secret } = await withTotp()
    for (let i = 0; i < 30; i++) expect(await login(person)).toMatchObject({ status: 401, body: { error: 'totp_required' } })
    const [{ signIns } = { signIns: 0 }] = await stack.db.query<{ signIns: number }>(
      `select count(*)::int as "signIns" from sign_ins where account_id = $1 and kind = 'token'`,
      [person.id],
    )
    // The one before it was switched on.
    expect(signIns).toBe(1)
    await later(person)
    expect((await login(person, { totp: codeOf(secret) })).status).toBe(200)
    // The password alone is not told to be right.
    expect((await login(person, { password: 'wrong', totp: codeOf(secret) })).body.error).toBe('invalid_credentials')
  })

  test('works once for each code, also when several use one at once', async () => {
    const { person, secret } = await withTotp()
    // The code that switched it on is used.
    await later(person)
    const code = codeOf(secret)
    expect((await login(person, { totp: code })).status).toBe(200)
    expect(await login(person, { totp: code })).toMatchObject({ status: 401, body: { error: 'invalid_totp' } })
    const crowd = await withTotp()
    await later(crowd.person)
    const shared = codeOf(crowd.secret)
    // As many as there are guesses at a code: more would be refused before theirs is looked at.
    const answers = await Promise.all(Array.from({ length: 4 }, () => login(crowd.person, { totp: shared })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
  })

  test('can be a recovery code, once each', async () => {
    const { person, recoveryCodes } = await withTotp()
    const [first = '', second = ''] = recoveryCodes
    expect((await login(person, { recoveryCode: first })).status).toBe(200)
    expect((await login(person, { recoveryCode: first })).body.error).toBe('invalid_totp')
    const answers = await Promise.all(Array.from({ length: 3 }, () => login(person, { recoveryCode: second.toUpperCase() })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('stands in the audit log by its kind, with every sign-in that asked for it', async () => {
    const { person, secret, recoveryCodes } = await withTotp()
    const [first = '', second = ''] = recoveryCodes
    await later(person)
    expect((await login(person, { recoveryCode: first })).status).toBe(200)
    await browserOf(person, { recoveryCode: second })
    await browserOf(person, { totp: codeOf(secret) })
    const entries = await stack.db.query<{ after: object }>(
      `select after from audit_log where action = 'account.signed_in' and target = $1 order by id`,
      [person.id],
    )
    expect(entries.map(({ after }) => after)).toEqual([
      { kind: 'dashboard' },
      { kind: 'token' },
      { kind: 'token', factor: 'recovery_code' },
      { kind: 'dashboard', factor: 'recovery_code' },
      { kind: 'dashboard', factor: 'totp' },
    ])
  })

  test('costs five guesses where it is wrong', async () => {
    const { person, secret } = await withTotp()
    const wrong = notThe(codeOf(secret))
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await login(person, { totp: wrong })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 429])
  })

  test('has six digits, and anything else is not even looked at', async () => {
    const { person } = await withTotp()
    for (const totp of ['', '12345', '1234567', '12345a', '٢٨٧٠٨٢', ' 12345', 123456])
      expect({ totp, status: (await login(person, { totp })).status }).toEqual({ totp, status: 400 })
  })

  test('is switched off, and its recovery codes are made anew, by password and factor together only', async () => {
    const { person, browser, secret, recoveryCodes } = await withTotp()
    const [code = '', voided = ''] = recoveryCodes
    const at = (path: string, body: object) => dashboard(stack, 'POST', path, body, browser)
    await later(person)
    expect((await at('/me/totp/disable', { password: 'wrong', totp: codeOf(secret) })).status).toBe(400)
    expect((await at('/me/totp/disable', { password: demoPassword })).status).toBe(400)
    expect((await at('/me/totp/disable', { password: demoPassword, totp: notThe(codeOf(secret)) })).status).toBe(400)
    expect((await at('/me/recovery-codes', { password: 'wrong', totp: codeOf(secret) })).status).toBe(400)
    expect((await at('/me/recovery-codes', { password: demoPassword, totp: notThe(codeOf(secret)) })).status).toBe(400)
    expect((await login(person)).body.error).toBe('totp_required')
    expect((await login(person, { recoveryCode: code })).status).toBe(200)
    expect((await at('/me/recovery-codes', { password: demoPassword, totp: codeOf(secret) })).status).toBe(200)
    expect((await login(person, { recoveryCode: voided })).body.error).toBe('invalid_totp')
    await later(person)
    expect((await at('/me/totp/disable', { password: demoPassword, totp: codeOf(secret) })).status).toBe(200)
    expect((await login(person)).status).toBe(200)
  })
})

// The last: the processes remember of the keys' ages what they were before they were changed here.
describe('the key that signs access tokens', () => {
  test('changes: it is published before it signs, gone after its last token, and all processes agree', async () => {
    const person = await somebody()
    const old = await tokenOf(person)
    const { kid: oldKid } = decodeProtectedHeader(old)
    const published = async (process = 'api') => (await (await fetch(`${base(process)}/.well-known/jwks.json`)).json()) as JSONWebKeySet
    const verify = (token: string, set: JSONWebKeySet) => jwtVerify(token, createLocalJWKSet(set), { issuer, audience: 'cowry-api' })
    /** Waits until a process has these keys; a token of a key that nobody knows makes it look again. */
    const publishes = (process: string, wanted: (kids: unknown[]) => boolean) =>
      waitFor(`other keys of ${process}`, async () => {
        await ask(
          old.replace(/^[^.]+/, Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: newId() })).toString('base64url')),
          'GET',
          '/auth/me',
          undefined,
          process,
        )
        const set = await published(process)
        return wanted(set.keys.map(({ kid }) => kid)) ? set : null
      })

    await stack.db.query(`update signing_keys set active_at = now() - interval '31 days'`)
    const kept = await publishes('api', (kids) => kids.length === 2)
    expect(decodeProtectedHeader(await tokenOf(person)).kid).toBe(oldKid)
    const [next] = await stack.db.query<{ id: string; lead: number }>(
      `select id, extract(epoch from active_at - now())::float8 as lead from signing_keys where id <> $1`,
      [oldKid],
    )
    expect(next?.lead).toBeGreaterThan(9 * 60)

    await stack.db.query(`update signing_keys set active_at = now() where id = $1`, [next?.id])
    await stack.start('api', {}, { as: 'api-2' })
    const fresh = await tokenOf(person, 'api-2')
    expect(decodeProtectedHeader(fresh).kid).toBe(next?.id)
    // Whoever kept the set from before can verify both.
    for (const token of [old, fresh]) expect((await verify(token, kept)).payload.sub).toBe(person.id)
    for (const process of ['api', 'api-2']) expect([await holds(old, process), await holds(fresh, process)]).toEqual([true, true])

    await stack.db.query(`update signing_keys set active_at = now() - interval '21 minutes' where id = $1`, [next?.id])
    for (const process of ['api', 'api-2']) {
      const set = await publishes(process, (kids) => kids.length === 1 && kids[0] === next?.id)
      await expect(verify(old, set)).rejects.toThrow('no applicable key')
      expect((await verify(fresh, set)).payload.sub).toBe(person.id)
      expect([await holds(old, process), await holds(fresh, process)]).toEqual([false, true])
    }
    expect(await stack.db.query('select id from signing_keys')).toEqual([{ id: next?.id }])
  }, 60_000)
})
