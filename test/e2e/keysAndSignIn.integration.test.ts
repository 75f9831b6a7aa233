import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose'
import { TOTP } from 'otpauth'
import { newId } from '../../src/platform/ids.ts'
import { type Browser, invited, signedIn } from '../support/browser.ts'
import {
  addBusiness,
  addMember,
  addPerson,
  dashboard,
  type Headers,
  ownHeader,
  type Person,
} from '../support/dashboardSession.ts'
import { howMany } from '../support/full.ts'
import { createStack, demoPassword, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['api'], env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
})
afterAll(() => stack?.close())

describe('API keys', () => {
  let owner: Browser
  let keys: string

  interface Key {
    id: string
    name: string
    prefix: string
    scope: string
    state: string
    lastUsedAt: string | null
    lastUsedAddress: string | null
    replacedBy: string | null
    expiresAt: string | null
    createdBy: string | null
  }
  interface NewKey {
    key: Key
    secret: string
  }
  interface Refusal {
    error: string
    fields?: { field: string }[]
  }

  beforeAll(async () => {
    owner = await signedIn(stack)
    keys = `/businesses/${stack.businessId}/keys`
  })

  const create = async (requested: object = {}) =>
    (await owner.ask<NewKey>('POST', keys, { name: 'till', scope: 'write', ...requested })).body
  const keyOf = async (id: string) => (await owner.ask<Key>('GET', `${keys}/${id}`)).body
  const refusalOf = ({ status, body }: { status: number; body: Refusal }) => [
    status,
    body.error,
    ...(body.fields ?? []).map(({ field }) => field),
  ]
  const use = async (secret: string, from = '203.0.113.9') =>
    refusalOf(
      await stack.api<Refusal>('GET', '/pos/sessions/networks/all', undefined, {
        'x-api-key': secret,
        'x-forwarded-for': from,
      }),
    ).slice(0, 2)
  /** Uses are written every two seconds; a busy machine needs more. */
  const soonMs = 20_000
  const inForce = [200, undefined]
  const ended = [401, 'Invalid API key']

  test('a key works from its creation until it is revoked, and is never shown again', async () => {
    const { key, secret } = await create()
    expect(secret.startsWith(key.prefix)).toBe(true)
    expect(key).toMatchObject({
      state: 'active',
      createdBy: 'demo@cowry.test',
      lastUsedAt: null,
      lastUsedAddress: null,
    })
    expect(await use(secret)).toEqual(inForce)
    expect((await owner.ask<Key>('POST', `${keys}/${key.id}/revoke`)).body.state).toBe('revoked')
    expect(await use(secret)).toEqual(ended)
    expect(JSON.stringify((await owner.ask('GET', `${keys}?limit=100`)).body)).not.toContain(
      secret.slice(12, 30),
    )
  })

  test('its last use is shown within seconds, with the address', async () => {
    const { key, secret } = await create()
    const before = Date.now()
    await use(secret, '198.51.100.7')
    const shown = await waitFor(
      'last use',
      async () => ((await keyOf(key.id)).lastUsedAt === null ? null : keyOf(key.id)),
      soonMs,
    )
    expect(shown.lastUsedAddress).toBe('198.51.100.7')
    expect(Math.abs(Date.parse(shown.lastUsedAt ?? '') - before)).toBeLessThan(soonMs)
    await use(secret, '2001:DB8::7')
    await waitFor('the next use', async () => (await keyOf(key.id)).lastUsedAddress === '2001:db8::7', soonMs)
  })

  test('a change applies from the next request on; a refused address does not count as a use', async () => {
    const { key, secret } = await create()
    const change = async (requested: object) =>
      (await owner.ask('PATCH', `${keys}/${key.id}`, requested)).status
    expect(await change({ allowedAddresses: ['198.51.100.0/24'] })).toBe(200)
    expect(await use(secret, '203.0.113.9')).toEqual([403, 'address_not_allowed'])
    expect(await use(secret, '198.51.100.200')).toEqual(inForce)
    await waitFor('last use', async () => (await keyOf(key.id)).lastUsedAddress === '198.51.100.200', soonMs)
    expect(await change({ allowedAddresses: null, permissions: ['sessions:read'] })).toBe(200)
    expect(await use(secret)).toEqual([403, 'insufficient_permission'])
    expect(await change({ permissions: null, requestsPerMinute: 1 })).toBe(200)
    expect([await use(secret), await use(secret)]).toContainEqual([
      429,
      'Too many requests, please try again later.',
    ])
  })

  test('an old key works until the overlap of its rotation ends', async () => {
    const old = await create({ allowedAddresses: ['203.0.113.0/24'] })
    const rotate = (overlapSeconds: number) =>
      owner.ask<NewKey & Refusal>('POST', `${keys}/${old.key.id}/rotate`, { overlapSeconds })
    const next = (await rotate(3600)).body
    expect(next.key).toMatchObject({
      name: 'till',
      scope: 'write',
      state: 'active',
      allowedAddresses: ['203.0.113.0/24'],
    })
    expect(await keyOf(old.key.id)).toMatchObject({ state: 'active', replacedBy: next.key.id })
    expect([await use(old.secret), await use(next.secret)]).toEqual([inForce, inForce])
    expect(refusalOf(await rotate(60))).toEqual([409, 'key_replaced'])
    expect(
      refusalOf(await owner.ask<Refusal>('PATCH', `${keys}/${old.key.id}`, { expiresAt: null })),
    ).toEqual([409, 'key_replaced'])
    await stack.db.query("update api_keys set expires_at = expires_at - interval '1 hour' where id = $1", [
      old.key.id,
    ])
    expect([await use(old.secret), await use(next.secret)]).toEqual([ended, inForce])
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'x' }],
      ['POST', '/rotate', { overlapSeconds: 0 }],
    ] as const)
      expect(refusalOf(await owner.ask<Refusal>(method, `${keys}/${old.key.id}${path}`, body))).toEqual([
        409,
        'key_not_active',
      ])
  })

  describe('invalid limits of a key are refused by name', () => {
    const past = new Date(Date.now() - 1000).toISOString()
    test.each([
      ['scope', { scope: 'admin' }],
      ['name', { name: ' ' }],
      ['requestsPerMinute', { requestsPerMinute: 0 }],
      ['requestsPerMinute', { requestsPerMinute: 1.5 }],
      ['allowedAddresses', { allowedAddresses: [] }],
      ['allowedAddresses.1', { allowedAddresses: ['10.0.0.0/8', '10.0.0.1/8'] }],
      ['permissions', { permissions: [] }],
      ['permissions.0', { permissions: ['keys:manage'] }],
      ['permissions.0', { scope: 'read', permissions: ['sessions:create'] }],
      ['expiresAt', { expiresAt: past }],
      ['expiresAt', { expiresAt: 'tomorrow' }],
      ['secret', { secret: 'ak_test_000000000000000000000000000000000000' }],
    ])('%s', async (field, requested) => {
      const before = (await owner.ask<{ total: number }>('GET', keys)).body.total
      expect(
        refusalOf(await owner.ask<Refusal>('POST', keys, { name: 'x', scope: 'write', ...requested })),
      ).toEqual([400, 'Invalid request body', field])
      expect((await owner.ask<{ total: number }>('GET', keys)).body.total).toBe(before)
    })

    test('a scope is never changed', async () => {
      const { key } = await create({ scope: 'read' })
      expect(refusalOf(await owner.ask<Refusal>('PATCH', `${keys}/${key.id}`, { scope: 'write' }))).toEqual([
        400,
        'Invalid request body',
        'scope',
      ])
      expect(
        refusalOf(
          await owner.ask<Refusal>('PATCH', `${keys}/${key.id}`, { permissions: ['sessions:create'] }),
        ),
      ).toEqual([400, 'Invalid request body', 'permissions.0'])
      expect((await keyOf(key.id)).scope).toBe('read')
    })
  })

  test('keys are listed page by page and by state, and only to their business', async () => {
    const business = (await owner.ask<{ id: string }>('POST', '/businesses', { name: 'Other' })).body.id
    const path = `/businesses/${business}/keys`
    const made: string[] = []
    for (let i = 0; i < 5; i++)
      made.push((await owner.ask<NewKey>('POST', path, { name: `key ${i}`, scope: 'read' })).body.key.id)
    await owner.ask('POST', `${path}/${made[1]}/revoke`)
    await stack.db.query("update api_keys set expires_at = now() - interval '1 s' where id = any($1)", [
      [made[1], made[2]],
    ])
    const list = async (query: string) =>
      (await owner.ask<{ keys: Key[]; total: number; nextCursor: string | null }>('GET', `${path}?${query}`))
        .body
    const idsOf = ({ keys: listed }: { keys: Key[] }) => listed.map(({ id }) => made.indexOf(id))
    const first = await list('limit=2&sort=ASC')
    const second = await list(`limit=2&sort=ASC&cursor=${first.nextCursor}`)
    const third = await list(`limit=2&sort=ASC&cursor=${second.nextCursor}`)
    expect([first, second, third].map(idsOf)).toEqual([[0, 1], [2, 3], [4]])
    expect([first.total, third.nextCursor]).toEqual([5, null])
    const states = await Promise.all(
      ['active', 'expired', 'revoked'].map(async (state) => idsOf(await list(`sort=ASC&state=${state}`))),
    )
    expect(states).toEqual([[0, 3, 4], [2], [1]])
    expect((await owner.ask('GET', `${keys}/${made[0]}`)).status).toBe(404)
  })

  describe('settings of payments', () => {
    const choose = (who: Browser, accepted: object[] | null) =>
      who.ask<Refusal>('PUT', `/businesses/${stack.businessId}/payments`, { localCurrency: 'NGN', accepted })
    const order = async (token: string) =>
      (await stack.api<Refusal>('POST', '/pos/sessions', { chain: stack.chain, token, amount: '1' })).status

    test('apply to the next session', async () => {
      expect(await order('USDT')).toBe(201)
      expect((await choose(owner, [{ chain: stack.chain, tokens: ['USDC'] }])).status).toBe(200)
      expect([await order('USDC'), await order('USDT')]).toEqual([201, 400])
      expect((await choose(owner, null)).status).toBe(200)
      expect(await order('USDT')).toBe(201)
    })

    test('name every network and token that is not offered, as the contract names them', async () => {
      const wrong = [
        { chain: 'tron', tokens: ['USDT'] },
        { chain: stack.chain, tokens: ['USDC'] },
        { chain: stack.chain, tokens: ['USDC'] },
      ]
      expect(refusalOf(await choose(owner, wrong))).toEqual([
        400,
        'Invalid request body',
        'accepted.0.chain',
        'accepted.2.chain',
      ])
    })

    test("are the owner's, fees are the operator's", async () => {
      const other = await invited(stack, owner, stack.businessId, 'owner', 'second@example.com')
      const developer = await invited(stack, owner, stack.businessId, 'developer', 'dev@example.com')
      expect(refusalOf(await choose(developer.browser, null))).toEqual([403, 'insufficient_role'])
      expect((await choose(other.browser, null)).status).toBe(200)
      const fees = { feePercent: '2', fxMarginPercent: '0.5' }
      const path = `/operator/businesses/${stack.businessId}/fees`
      const method = 'PUT'
      expect(refusalOf(await other.browser.ask<Refusal>(method, path, fees))).toEqual([
        403,
        'insufficient_role',
      ])
      expect((await owner.ask(method, path, fees)).body).toMatchObject(fees)
      expect((await other.browser.ask('GET', `/businesses/${stack.businessId}/payments`)).body).toMatchObject(
        fees,
      )
      for (const [field, percent] of [
        ['feePercent', '100'],
        ['fxMarginPercent', '-1'],
      ])
        expect(
          refusalOf(await owner.ask<Refusal>(method, path, { ...fees, [field ?? '']: percent })),
        ).toEqual([400, 'Invalid request body', field])
    })
  })
})

describe('signing in', () => {
  interface Answer {
    status: number
    body: {
      error?: string
      message?: string
      accessToken?: string
      expiresIn?: number
      role?: string
      [field: string]: unknown
    }
  }

  const base = (process = 'api') => `http://127.0.0.1:${stack.processes.get(process)?.port()}`

  /** Calls one of the processes with an access token alone. */
  async function ask(
    token: string | null,
    method = 'GET',
    path = '/auth/me',
    body?: object,
    process = 'api',
    from = '198.51.100.1',
  ): Promise<Answer> {
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
  /** Each person has an own address: requests without credentials share one limit per address. */
  const newAddress = () => `10.1.${(++addresses >> 8) & 255}.${addresses & 255}`

  interface PersonAtAddress extends Person {
    address: string
  }
  const newPerson = async (): Promise<PersonAtAddress> => ({
    ...(await addPerson(stack)),
    address: newAddress(),
  })

  const login = (person: PersonAtAddress, more: object = {}, process = 'api') =>
    ask(
      null,
      'POST',
      '/auth/login',
      { email: person.email, password: demoPassword, ...more },
      process,
      person.address,
    )

  async function tokenOf(person: PersonAtAddress, process = 'api'): Promise<string> {
    const { status, body } = await login(person, {}, process)
    expect(status).toBe(200)
    return body.accessToken ?? ''
  }

  /** Signs in as a browser does. @returns the headers of its later requests */
  async function browserOf(person: PersonAtAddress, more: object = {}): Promise<Headers> {
    const answer = await dashboard(
      stack,
      'POST',
      '/sign-in',
      { email: person.email, password: demoPassword, ...more },
      headersOf(person),
    )
    expect(answer.status).toBe(200)
    return {
      ...headersOf(person),
      cookie: answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    }
  }
  const headersOf = ({ address }: PersonAtAddress): Headers => ({ ...ownHeader, 'x-forwarded-for': address })

  const holds = async (token: string, process = 'api') =>
    (await ask(token, 'GET', '/auth/me', undefined, process)).status !== 401
  const inside = async (headers: Headers) =>
    (await dashboard(stack, 'GET', '/me', undefined, headers)).status === 200

  const issuer = 'http://localhost:3000'

  describe('an access token', () => {
    test('can be verified with the published keys alone, and is valid for 15 minutes', async () => {
      const person = await newPerson()
      const { body } = await login(person)
      expect(body).toMatchObject({
        tokenType: 'Bearer',
        expiresIn: 900,
        account: { id: person.id, email: person.email },
      })
      const keys = createRemoteJWKSet(new URL(`${base()}/.well-known/jwks.json`))
      const { payload, protectedHeader } = await jwtVerify(body.accessToken ?? '', keys, {
        issuer,
        audience: 'cowry-api',
        typ: 'at+jwt',
      })
      expect(protectedHeader.alg).toBe('ES256')
      expect(payload).toMatchObject({ sub: person.id, exp: (payload.iat ?? 0) + 900 })
      // It contains nothing personal.
      expect(JSON.stringify(payload)).not.toContain(person.email)
    })

    test('that was changed, or is not signed, is refused as the specification has it', async () => {
      const token = await tokenOf(await newPerson())
      const [header = '', payload = '', signature = ''] = token.split('.')
      const change = (part: string) => `${part.slice(0, 20)}${part[20] === 'x' ? 'y' : 'x'}${part.slice(21)}`
      const unsignedHeader = Buffer.from(
        JSON.stringify({ ...decodeProtectedHeader(token), alg: 'none' }),
      ).toString('base64url')
      const broken = [
        [change(header), payload, signature].join('.'),
        [header, change(payload), signature].join('.'),
        [header, payload, change(signature)].join('.'),
        `${unsignedHeader}.${payload}.`,
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

    test('ends with its row, also before its expiry', async () => {
      const token = await tokenOf(await newPerson())
      await stack.db.query('update sign_ins set expires_at = now() where id = $1', [decodeJwt(token).jti])
      expect(await holds(token)).toBe(false)
    })
  })

  describe('revocations apply to the next request', () => {
    test('signing out everywhere ends every token and session of the account, and no others', async () => {
      const [person, neighbour] = [await newPerson(), await newPerson()]
      const [token, other, browser, second] = [
        await tokenOf(person),
        await tokenOf(neighbour),
        await browserOf(person),
        await browserOf(person),
      ]
      expect([await holds(token), await inside(browser), await inside(second)]).toEqual([true, true, true])
      expect((await dashboard(stack, 'POST', '/sign-out-everywhere', undefined, browser)).status).toBe(200)
      expect([await holds(token), await inside(browser), await inside(second)]).toEqual([false, false, false])
      expect((await ask(token)).body.message).toContain('log in again')
      expect(await holds(other)).toBe(true)
      expect(await holds(await tokenOf(person))).toBe(true)
    })

    test('a new password ends tokens and other sessions, and the old one no longer signs in', async () => {
      const person = await newPerson()
      const [token, browser, second] = [
        await tokenOf(person),
        await browserOf(person),
        await browserOf(person),
      ]
      const change = { currentPassword: demoPassword, newPassword: 'another-lantern-in-the-fog' }
      expect((await dashboard(stack, 'POST', '/me/password', change, browser)).status).toBe(200)
      expect([await holds(token), await inside(browser), await inside(second)]).toEqual([false, true, false])
      expect((await login(person)).body.error).toBe('invalid_credentials')
      expect((await login(person, { password: change.newPassword })).status).toBe(200)
    })

    test('one of several sessions is ended by itself', async () => {
      const [person, neighbour] = [await newPerson(), await newPerson()]
      const [token, kept, browser] = [await tokenOf(person), await tokenOf(person), await browserOf(person)]
      const path = `/me/sign-ins/${decodeJwt(token).jti}/revoke`
      expect((await dashboard(stack, 'POST', path, undefined, await browserOf(neighbour))).status).toBe(404)
      expect(await holds(token)).toBe(true)
      expect((await dashboard(stack, 'POST', path, undefined, browser)).status).toBe(200)
      expect([await holds(token), await holds(kept), await inside(browser)]).toEqual([false, true, true])
    })

    test('a smaller role applies at once, and a removed member has no business', async () => {
      const [owner, member] = [await newPerson(), await newPerson()]
      const businessId = await addBusiness(stack, owner)
      await addMember(stack, businessId, 'developer', member)
      const [token, browser] = [await tokenOf(member), await browserOf(owner)]
      const generate = () => ask(token, 'POST', '/crypto/wallets/generate', { chain: 'ethereum' })
      expect((await generate()).status).toBe(200)
      expect(
        (
          await dashboard(
            stack,
            'PATCH',
            `/businesses/${businessId}/members/${member.id}`,
            { role: 'viewer' },
            browser,
          )
        ).status,
      ).toBe(200)
      expect(await generate()).toMatchObject({ status: 403, body: { error: 'insufficient_role' } })
      expect((await ask(token)).body).toMatchObject({
        role: 'viewer',
        scope: 'read',
        business: { id: businessId },
      })
      expect(
        (
          await dashboard(
            stack,
            'POST',
            `/businesses/${businessId}/members/${member.id}/remove`,
            undefined,
            browser,
          )
        ).status,
      ).toBe(200)
      expect(await generate()).toMatchObject({ status: 403, body: { error: 'no_business' } })
      expect((await ask(token)).body).toMatchObject({
        role: null,
        business: null,
        permissions: expect.any(Array),
      })
    })
  })

  describe('the second factor', () => {
    const codeOf = (secret: string) => new TOTP({ secret }).generate()
    /** Resets the last used step, as if time had passed. */
    const later = ({ id }: PersonAtAddress) =>
      stack.db.query('update accounts set totp_last_step = 0 where id = $1', [id])
    const otherThan = (code: string) => (code === '123456' ? '654321' : '123456')

    /** Switches it on as the dashboard does. */
    async function withTotp() {
      const person = await newPerson()
      const browser = await browserOf(person)
      const begun = await dashboard<{ secret: string; uri: string }>(
        stack,
        'POST',
        '/me/totp',
        { password: demoPassword },
        browser,
      )
      expect(
        (
          await dashboard(
            stack,
            'POST',
            '/me/totp/enable',
            { totp: otherThan(codeOf(begun.body.secret)) },
            browser,
          )
        ).status,
      ).toBe(400)
      expect((await login(person)).status).toBe(200)
      const enabled = await dashboard<{ recoveryCodes: string[] }>(
        stack,
        'POST',
        '/me/totp/enable',
        { totp: codeOf(begun.body.secret) },
        browser,
      )
      expect(enabled.status).toBe(200)
      return { person, browser, secret: begun.body.secret, recoveryCodes: enabled.body.recoveryCodes }
    }

    test('is required from then on: without it each attempt requests it, without a limit, and signs in no account', async () => {
      const { person, secret } = await withTotp()
      for (let i = 0; i < howMany(22, 30); i++)
        expect(await login(person)).toMatchObject({ status: 401, body: { error: 'totp_required' } })
      const [{ signIns } = { signIns: 0 }] = await stack.db.query<{ signIns: number }>(
        `select count(*)::int as "signIns" from sign_ins where account_id = $1 and kind = 'token'`,
        [person.id],
      )
      // The sign-in before it was switched on.
      expect(signIns).toBe(1)
      await later(person)
      expect((await login(person, { totp: codeOf(secret) })).status).toBe(200)
      // The answer must not reveal whether the password was right.
      expect((await login(person, { password: 'wrong', totp: codeOf(secret) })).body.error).toBe(
        'invalid_credentials',
      )
    })

    test('works once for each code, also when several requests use one at once', async () => {
      const { person, secret } = await withTotp()
      // The code that switched it on is used.
      await later(person)
      const code = codeOf(secret)
      expect((await login(person, { totp: code })).status).toBe(200)
      expect(await login(person, { totp: code })).toMatchObject({
        status: 401,
        body: { error: 'invalid_totp' },
      })
      const crowd = await withTotp()
      await later(crowd.person)
      const shared = codeOf(crowd.secret)
      // As many as the limit allows: more would be refused before their codes are checked.
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => login(crowd.person, { totp: shared })),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    })

    test('can be a recovery code, once each', async () => {
      const { person, recoveryCodes } = await withTotp()
      const [first = '', second = ''] = recoveryCodes
      expect((await login(person, { recoveryCode: first })).status).toBe(200)
      expect((await login(person, { recoveryCode: first })).body.error).toBe('invalid_totp')
      const answers = await Promise.all(
        Array.from({ length: 3 }, () => login(person, { recoveryCode: second.toUpperCase() })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('is in the audit log by its kind, with every sign-in that required it', async () => {
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

    test('counts as a guess where it is wrong: five are allowed', async () => {
      const { person, secret } = await withTotp()
      const wrong = otherThan(codeOf(secret))
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) statuses.push((await login(person, { totp: wrong })).status)
      expect(statuses).toEqual([401, 401, 401, 401, 429])
    })

    test('has six digits, and other input is not checked', async () => {
      const { person } = await withTotp()
      for (const totp of ['', '12345', '1234567', '12345a', '٢٨٧٠٨٢', ' 12345', 123456])
        expect({ totp, status: (await login(person, { totp })).status }).toEqual({ totp, status: 400 })
    })

    test('is switched off, and its recovery codes are replaced, by password and factor together only', async () => {
      const { person, browser, secret, recoveryCodes } = await withTotp()
      const [code = '', voided = ''] = recoveryCodes
      const at = (path: string, body: object) => dashboard(stack, 'POST', path, body, browser)
      await later(person)
      expect((await at('/me/totp/disable', { password: 'wrong', totp: codeOf(secret) })).status).toBe(400)
      expect((await at('/me/totp/disable', { password: demoPassword })).status).toBe(400)
      expect(
        (await at('/me/totp/disable', { password: demoPassword, totp: otherThan(codeOf(secret)) })).status,
      ).toBe(400)
      expect((await at('/me/recovery-codes', { password: 'wrong', totp: codeOf(secret) })).status).toBe(400)
      expect(
        (await at('/me/recovery-codes', { password: demoPassword, totp: otherThan(codeOf(secret)) })).status,
      ).toBe(400)
      expect((await login(person)).body.error).toBe('totp_required')
      expect((await login(person, { recoveryCode: code })).status).toBe(200)
      expect((await at('/me/recovery-codes', { password: demoPassword, totp: codeOf(secret) })).status).toBe(
        200,
      )
      expect((await login(person, { recoveryCode: voided })).body.error).toBe('invalid_totp')
      await later(person)
      expect((await at('/me/totp/disable', { password: demoPassword, totp: codeOf(secret) })).status).toBe(
        200,
      )
      expect((await login(person)).status).toBe(200)
    })
  })

  // Keep this last: processes cache the ages of keys, which these tests change.
  describe('the key that signs access tokens', () => {
    test('rotates: published before it signs, removed after its last token, and the same in all processes', async () => {
      const person = await newPerson()
      const old = await tokenOf(person)
      const { kid: oldKid } = decodeProtectedHeader(old)
      const published = async (process = 'api') =>
        (await (await fetch(`${base(process)}/.well-known/jwks.json`)).json()) as JSONWebKeySet
      const verify = (token: string, set: JSONWebKeySet) =>
        jwtVerify(token, createLocalJWKSet(set), { issuer, audience: 'cowry-api' })
      /** Waits until a process publishes these keys; a token of an unknown key makes it reload them. */
      const publishes = (process: string, isExpected: (kids: unknown[]) => boolean) =>
        waitFor(`other keys of ${process}`, async () => {
          await ask(
            old.replace(
              /^[^.]+/,
              Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: newId() })).toString(
                'base64url',
              ),
            ),
            'GET',
            '/auth/me',
            undefined,
            process,
          )
          const set = await published(process)
          return isExpected(set.keys.map(({ kid }) => kid)) ? set : null
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
      // A cached key set from before verifies both.
      for (const token of [old, fresh]) expect((await verify(token, kept)).payload.sub).toBe(person.id)
      for (const process of ['api', 'api-2'])
        expect([await holds(old, process), await holds(fresh, process)]).toEqual([true, true])

      await stack.db.query(
        `update signing_keys set active_at = now() - interval '21 minutes' where id = $1`,
        [next?.id],
      )
      for (const process of ['api', 'api-2']) {
        const set = await publishes(process, (kids) => kids.length === 1 && kids[0] === next?.id)
        await expect(verify(old, set)).rejects.toThrow('no applicable key')
        expect((await verify(fresh, set)).payload.sub).toBe(person.id)
        expect([await holds(old, process), await holds(fresh, process)]).toEqual([false, true])
      }
      expect(await stack.db.query('select id from signing_keys')).toEqual([{ id: next?.id }])
    })
  })
})
