import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { hash } from '@node-rs/argon2'
import { Redis } from 'ioredis'
import { generateKeyPair } from 'jose'
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { issueAccessToken } from '../../src/accounts/accessToken.ts'
import { issueDeviceCookie, knownDevice } from '../../src/accounts/deviceCookie.ts'
import { getAccount } from '../../src/accounts/findAccount.ts'
import { noteToken } from '../../src/accounts/signIns.ts'
import { createSigningKeys } from '../../src/accounts/signingKeys.ts'
import { takeRecoveryCode, takeTotpCode } from '../../src/accounts/totp.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Browser, invited, type Person, signedIn } from '../support/browser.ts'
import { createStack, demoPassword, type Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'

let stack: Stack
let redis: Redis
let owner: Browser
let ada: Person
let bob: Person
/** Every value of every row, in every encoding worth trying. */
let stolen: string[]
const secrets = new Map<string, OtpSecret>()
/** Credentials of the invited accounts with an authenticator. */
let invitation: string
const recoveryCodes: string[] = []

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'] })
  redis = new Redis(stack.redis.url)
  owner = await signedIn(stack)
  ada = await invited(stack, owner, stack.businessId, 'owner', 'ada@example.com')
  bob = await invited(stack, owner, stack.businessId, 'developer', 'bob@example.com')
  for (const who of [ada, bob]) await setUp(who)
  const { body } = await owner.ask<{ token: string }>('POST', `/businesses/${stack.businessId}/invitations`, {
    email: 'i@example.com',
    role: 'owner',
  })
  invitation = body.token
  await owner.ask('POST', `/businesses/${stack.businessId}/webhook-endpoints`, {
    url: 'https://shop.example/',
  })
  await owner.ask('POST', `/businesses/${stack.businessId}/webhook-endpoints`, {
    url: 'https://shop.example/',
    signature: 'ed25519',
  })
  await stack.createSession()
  stolen = await valuesOf()
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
})

/** Creates a key, an authenticator, recovery codes, a session and a token. */
async function setUp({ browser, id, email, password }: Person): Promise<void> {
  await browser.ask('POST', `/businesses/${stack.businessId}/keys`, { name: email, scope: 'write' })
  await stack.api('POST', '/auth/login', { email, password })
  const { body } = await browser.ask<{ secret: string }>('POST', '/me/totp', { password })
  const secret = OtpSecret.fromBase32(body.secret)
  secrets.set(id, secret)
  const enabled = await browser.ask<{ recoveryCodes: string[] }>('POST', '/me/totp/enable', {
    totp: new TOTP({ secret }).generate(),
  })
  recoveryCodes.push(...enabled.body.recoveryCodes)
}

async function valuesOf(): Promise<string[]> {
  const found = new Set<string>()
  const take = (value: unknown): void => {
    if (Buffer.isBuffer(value)) {
      for (const form of ['hex', 'base64', 'base64url', 'utf8'] as const) found.add(value.toString(form))
      found.add(`\\x${value.toString('hex')}`)
    } else if (value instanceof Date) found.add(value.toISOString())
    else if (value !== null && typeof value === 'object')
      for (const [name, part] of Object.entries(value)) [name, part].forEach(take)
    else if (value !== null && value !== undefined) found.add(String(value))
  }
  const tables = await stack.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  for (const { name } of tables) {
    // Hundreds of waiting deposit addresses are alike.
    for (const row of await stack.db.query(`select * from "${name}" limit 50`))
      Object.values(row).forEach(take)
  }
  // Empty values cannot be sent in a header.
  return [...found].filter((text) => text.length > 0)
}

const url = (path: string) => `http://127.0.0.1:${stack.processes.get('api')?.port()}${path}`
const sendable = (text: string) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && text.length < 8000

/** @returns the values that gave access */
async function accepted(
  values: readonly string[],
  gives: (value: string) => Promise<boolean>,
): Promise<string[]> {
  const remaining = [...values]
  const found: string[] = []
  const work = async () => {
    for (let value = remaining.pop(); value !== undefined; value = remaining.pop())
      if (await gives(value)) found.push(value)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return found
}
async function statusOf(path: string, headers: Record<string, string>, body?: object): Promise<number> {
  const json = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(url(path), {
    ...json,
    headers: {
      ...(body ? { 'content-type': 'application/json', 'x-cowry-dashboard': '1' } : {}),
      ...headers,
    },
  })
  await response.arrayBuffer()
  return response.status
}

describe('no value in the database gives access', () => {
  test('setup: every table has rows', async () => {
    const tables = [
      'api_keys',
      'sign_ins',
      'accounts',
      'recovery_codes',
      'invitations',
      'signing_keys',
      'webhook_endpoints',
      'pos_sessions',
      'audit_log',
    ]
    for (const table of tables)
      expect([table, (await stack.db.query(`select 1 from ${table} limit 1`)).length]).toEqual([table, 1])
    expect(stolen.length).toBeGreaterThan(500)
  })

  test('as an API key', async () => {
    const asKey = async (value: string) => (await statusOf('/api/v1/auth/me', { 'x-api-key': value })) !== 401
    expect(await accepted([stack.apiKey], asKey)).toEqual([stack.apiKey])
    expect(await accepted(stolen.filter(sendable), asKey)).toEqual([])
  })

  test('as an access token', async () => {
    const asToken = async (value: string) =>
      (await statusOf('/api/v1/auth/me', { authorization: `Bearer ${value}` })) !== 401
    expect(await accepted(stolen.filter(sendable), asToken)).toEqual([])
  })

  test('as a session of the dashboard', async () => {
    const asSession = async (value: string) =>
      (await statusOf('/dashboard/api/me', { cookie: `__Host-cowry_session=${value}` })) !== 401
    const right = owner.cookies.get('__Host-cowry_session') ?? ''
    expect(await accepted([right], asSession)).toEqual([right])
    expect(
      await accepted(
        stolen.filter((value) => sendable(value) && !value.includes(';')),
        asSession,
      ),
    ).toEqual([])
  })

  test('as the cookie of a known device', async () => {
    const accounts = await Promise.all([ada, bob].map(({ id }) => getAccount(stack.db, id)))
    const known = (value: string) =>
      accounts.some((account) => knownDevice(new Secret(appKey), value, account) !== null)
    expect(
      accounts.map((account) => issueDeviceCookie(new Secret(appKey), account)).filter(known),
    ).toHaveLength(2)
    expect(stolen.filter(known)).toEqual([])
  })

  test('as the token of an invitation', async () => {
    const asInvitation = async (token: string) =>
      ![400, 404].includes(await statusOf('/dashboard/api/invitations/look', {}, { token }))
    expect(await accepted([invitation], asInvitation)).toEqual([invitation])
    expect(await accepted(stolen, asInvitation)).toEqual([])
  })

  test('as a recovery code, even with the right password', async () => {
    const asCode = async (code: string) =>
      (await takeRecoveryCode(stack.db, ada.id, code)) || (await takeRecoveryCode(stack.db, bob.id, code))
    expect(await accepted(stolen, asCode)).toEqual([])
    expect((await accepted(recoveryCodes, asCode)).length).toBe(20)
  })

  test('as the secret of an authenticator: no value, in any encoding, generates its codes', () => {
    const codesOf = (secret: OtpSecret) =>
      [1, 2, 3].map((timestamp) => new TOTP({ secret }).generate({ timestamp: timestamp * 30_000 })).join()
    const right = new Set([...secrets.values()].map(codesOf))
    const read = (value: string): OtpSecret[] => [
      OtpSecret.fromUTF8(value),
      ...(/^[A-Z2-7]+=*$/i.test(value) ? [OtpSecret.fromBase32(value)] : []),
      ...(/^([0-9a-f]{2})+$/i.test(value) ? [OtpSecret.fromHex(value)] : []),
    ]
    const makesCodes = (value: string) =>
      read(value).some((secret) => secret.bytes.length > 0 && right.has(codesOf(secret)))
    expect(right.size).toBe(2)
    expect([...secrets.values()].map(({ base32 }) => base32).filter(makesCodes)).toHaveLength(2)
    expect(stolen.filter(makesCodes)).toEqual([])
  })

  test('as a password', async () => {
    // At minimum cost, so that every value can be tried; the comparison is the same.
    const cheap = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const
    await stack.db.query('update accounts set password_hash = $2 where email = $1', [
      demoEmail,
      await hash(demoPassword, cheap),
    ])
    const values = new Set([...stolen, ...(await valuesOf())])
    const asPassword = async (password: string) => {
      // Another suite tests the limit on guesses; here each guess must be checked.
      await redis.flushdb()
      const status = await statusOf('/dashboard/api/sign-in', {}, { email: demoEmail, password })
      if (![200, 400, 401].includes(status)) throw new Error(`unexpected status for a password: ${status}`)
      return status === 200
    }
    expect(await accepted([demoPassword], asPassword)).toEqual([demoPassword])
    expect(await accepted([...values], asPassword)).toEqual([])
  })
})

describe('a copy of the database in a deployment with another APP_KEY', () => {
  const otherKey = new Secret(randomBytes(32).toString('base64'))
  const me = (token: string, api = 'api') =>
    fetch(`http://127.0.0.1:${stack.processes.get(api)?.port()}/api/v1/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
  /** Claims of a token of Ada's, for a valid row. */
  async function claims() {
    // Her second factor has ended the token from before it.
    const signInId = await noteToken(stack.db, ada.id, { address: '127.0.0.1', userAgent: null }, 'totp')
    return { accountId: ada.id, signInId, businessId: stack.businessId }
  }

  test('issues no access token that this deployment accepts, with a new key', async () => {
    const log = createLog('other', 'silent')
    const issuer = 'http://localhost:3000'
    const ours = createSigningKeys({ db: stack.db, appKey: new Secret(appKey), log }, 30)
    expect((await me(await issueAccessToken({ signingKeys: ours, issuer }, await claims()))).status).toBe(200)
    const { privateKey } = await generateKeyPair('ES256')
    const [{ kid } = { kid: '' }] = await stack.db.query<{ kid: string }>(
      'select id as kid from signing_keys order by active_at desc',
    )
    const signingKeys = { ...ours, current: async () => ({ kid, key: privateKey }) }
    expect((await me(await issueAccessToken({ signingKeys, issuer }, await claims()))).status).toBe(401)
  })

  test("cannot decrypt a signing key or an authenticator's secret", async () => {
    const log = createLog('other', 'silent')
    await expect(createSigningKeys({ db: stack.db, appKey: otherKey, log }, 30).current()).rejects.toThrow()
    const [row] = await stack.db.query<{ sealed: Buffer }>(
      'select totp_sealed as sealed from accounts where id = $1',
      [ada.id],
    )
    const account = { id: ada.id, totpSealed: row?.sealed ?? Buffer.alloc(0) }
    await expect(takeTotpCode({ appKey: otherKey }, stack.db, account, '000000')).rejects.toThrow()
    await expect(takeTotpCode({ appKey: new Secret(appKey) }, stack.db, account, 'x')).resolves.toBe(false)
  })

  test('issues no cookie of a known device', async () => {
    const account = await getAccount(stack.db, ada.id)
    expect(knownDevice(new Secret(appKey), issueDeviceCookie(otherKey, account), account)).toBeNull()
  })
})

describe('write access to rows without a password gives no access', () => {
  const login = async (who: Person, of: Person) => {
    await redis.flushdb()
    await stack.db.query('update accounts set totp_last_step = 0')
    const secret = secrets.get(of.id)
    if (!secret) throw new Error(`${of.email} has no authenticator`)
    const body = { email: who.email, password: who.password, totp: new TOTP({ secret }).generate() }
    return (await stack.api('POST', '/auth/login', body)).status
  }

  test("one account's sealed secret is useless in another", async () => {
    expect(await login(ada, ada)).toBe(200)
    await stack.db.query(
      'update accounts a set totp_sealed = b.totp_sealed from accounts b where (a.id, b.id) in (($1, $2), ($2, $1))',
      [ada.id, bob.id],
    )
    for (const [who, of] of [
      [ada, bob],
      [bob, ada],
      [ada, ada],
      [bob, bob],
    ] as const)
      expect([who.email, of.email, (await login(who, of)) === 200]).toEqual([who.email, of.email, false])
  })

  test("a token's row moved to another account invalidates the token", async () => {
    const { body } = await tokenOf(bob)
    const bearer = { authorization: `Bearer ${body.accessToken}` }
    expect(await statusOf('/api/v1/auth/me', bearer)).toBe(200)
    await stack.db.query("update sign_ins set account_id = $1 where account_id = $2 and kind = 'token'", [
      ada.id,
      bob.id,
    ])
    expect(await statusOf('/api/v1/auth/me', bearer)).toBe(401)
  })

  /** A token of a person with the second factor off. */
  async function tokenOf({ id, email, password }: Person) {
    await stack.db.query('update accounts set totp_enabled_at = null, totp_sealed = null where id = $1', [id])
    return stack.api<{ accessToken: string }>('POST', '/auth/login', { email, password })
  }
})
