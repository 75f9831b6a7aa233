import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { TOTP } from 'otpauth'
import { demoEmail } from '../../scripts/dev/seed.ts'
import { type Browser, invited, openBrowser, signedIn } from '../support/browser.ts'
import { startServer } from '../support/httpServer.ts'
import { newPayer } from '../support/payers.ts'
import { createStack, demoPassword, type Stack, webhookSecret } from '../support/stack.ts'
import { type Traces, tracesOf, tracesOfToken } from './credentials.ts'
import { foundIn, type Sink, type SinkName, sinksOf } from './sinks.ts'

let stack: Stack
let redis: Redis
let sinks: Record<SinkName, Sink>
let owner: Browser
let business: string
/** Every answer, without each credential's one legitimate occurrence. */
const answers: string[] = []
const record = (answer: string) => void answers.push(answer)
const credentials: Record<string, Traces> = {}
const texts = new Map<SinkName, string>()

/**
 * Registers a credential from the last answer and removes it there. @param places its occurrences in that
 * answer @throws if there are more or fewer
 */
function issued(name: string, text: string, traces: Traces = tracesOf(text), places = 1): string {
  const at = answers.findLastIndex((answer) => answer.includes(text))
  const parts = (answers[at] ?? '').split(text)
  if (parts.length !== places + 1)
    throw new Error(`${name} was handed out ${parts.length - 1} times in one answer`)
  answers[at] = parts.join('')
  credentials[name] = traces
  return text
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; body: Record<string, string> }> {
  const url = `http://127.0.0.1:${stack.processes.get('api')?.port()}${path}`
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await response.text()
  record(`${response.status} ${JSON.stringify([...response.headers])} ${text}`)
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
}
const json = { 'content-type': 'application/json' }
const inDashboard = { ...json, 'x-cowry-dashboard': '1' }
const post = (path: string, body: unknown, headers: Record<string, string> = { 'x-api-key': stack.apiKey }) =>
  send('POST', path, { ...json, ...headers }, typeof body === 'string' ? body : JSON.stringify(body))

async function newKey(name: string): Promise<{ id: string; secret: string }> {
  const { body } = await owner.ask<{ key: { id: string }; secret: string }>(
    'POST',
    `/businesses/${business}/keys`,
    { name: 'till', scope: 'write' },
  )
  return { id: body.key.id, secret: issued(name, body.secret, tracesOf(body.secret, 12)) }
}

/** Unfiltered places: any credential may end up there. */
const misplacements: Record<string, (secret: string) => Promise<unknown>> = {
  'as a malformed X-API-Key': (secret) =>
    Promise.all(
      [`${secret}x`, `Bearer ${secret}`, secret.toLowerCase(), secret].map((each) =>
        send('GET', '/api/v1/auth/me', { 'x-api-key': each }),
      ),
    ),
  'as Authorization': (secret) =>
    Promise.all(
      [`Bearer ${secret}`, `Bearer x.${secret}.y`, `Basic ${secret}`, secret].map((each) =>
        send('GET', '/api/v1/auth/me', { authorization: each }),
      ),
    ),
  'in a path': (secret) =>
    Promise.all(
      [
        `/api/v1/pos/sessions/${secret}`,
        `/api/v1/${secret}`,
        `/${secret}`,
        `/dashboard/${secret}`,
        `/dashboard/api/businesses/${secret}/keys`,
      ].map((path) => send('GET', path, { 'x-api-key': stack.apiKey, cookie: cookieOf(owner) })),
    ),
  'in a query': (secret) =>
    Promise.all(
      [`cursor=${secret}`, `apiKey=${secret}`, `chain=${secret}`].map((query) =>
        send('GET', `/api/v1/pos/sessions?${query}`, { 'x-api-key': stack.apiKey }),
      ),
    ),
  'in the search of a list': (secret) =>
    owner.ask('GET', `/businesses/${business}/audit?q=${secret.slice(0, 100)}`),
  'in a body, where it does not belong': (secret) =>
    Promise.all([
      post('/api/v1/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: secret }),
      post('/api/v1/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '1', quoteId: secret }),
      post('/api/v1/crypto/wallets', { chain: 'ethereum', privateKey: secret }),
      post('/api/v1/crypto/wallets', { chain: 'ethereum', mnemonic: secret }),
      post('/api/v1/pos/sessions', `{"amount": ${secret}}`),
    ]),
  'as Idempotency-Key': (secret) =>
    post('/api/v1/pos/sessions', order(), { 'x-api-key': stack.apiKey, 'idempotency-key': secret }),
  'as email address and password': (secret) =>
    Promise.all([
      post('/dashboard/api/sign-in', { email: `${secret}@example.com`, password: secret }, inDashboard),
      post('/dashboard/api/sign-in', { email: demoEmail, password: secret.slice(0, 200) }, inDashboard),
      post('/api/v1/auth/login', { email: secret, password: secret }, {}),
    ]),
  'as a code': (secret) =>
    post(
      '/api/v1/auth/login',
      { email: demoEmail, password: demoPassword, recoveryCode: secret, totp: secret },
      {},
    ),
  'as cookies': (secret) =>
    send('GET', '/dashboard/api/me', {
      cookie: `__Host-cowry_session=${secret}; __Host-cowry_device=${secret}; x=${secret}`,
    }),
  "as an invitation's token": (secret) =>
    post('/dashboard/api/invitations/look', { token: secret }, inDashboard),
  'in the user information of a webhook URL': (secret) =>
    owner.ask('POST', `/businesses/${business}/webhook-endpoints`, {
      url: `https://${encodeURIComponent(secret)}:x@shop.example/`,
    }),
  'as X-Business-Id, Origin and X-Forwarded-For': (secret) =>
    post(
      '/dashboard/api/sign-out',
      {},
      { ...inDashboard, 'x-business-id': secret, origin: `https://${secret}`, 'x-forwarded-for': secret },
    ),
}

/** Places where users' own texts are stored: an API key or webhook secret must not be stored there. */
const keptTexts: Record<string, (secret: string) => Promise<unknown>> = {
  'as X-Request-Id': (secret) =>
    post('/api/v1/pos/sessions', order(), { 'x-api-key': stack.apiKey, 'x-request-id': secret }),
  'as User-Agent': (secret) =>
    post(
      '/dashboard/api/sign-in',
      { email: demoEmail, password: demoPassword },
      { ...inDashboard, 'user-agent': secret },
    ),
  'as label of a session': (secret) => post('/api/v1/pos/sessions', { ...order(), label: secret }),
  'as reference of a session': (secret) => post('/api/v1/pos/sessions', { ...order(), reference: secret }),
  'in metadata': (secret) => post('/api/v1/pos/sessions', { ...order(), metadata: { key: secret } }),
  'as name of a metadata field': (secret) =>
    post('/api/v1/pos/sessions', { ...order(), metadata: { [secret]: 1 } }),
  'as name of a wallet': (secret) =>
    post('/api/v1/crypto/wallets', {
      chain: 'ethereum',
      privateKey: newPayer('ethereum').privateKey,
      name: secret,
    }),
  'as name of a key': (secret) =>
    owner.ask('POST', `/businesses/${business}/keys`, { name: secret, scope: 'read' }),
  'as name of a business': (secret) => owner.ask('POST', '/businesses', { name: secret }),
  'as name of a person': (secret) => owner.ask('PATCH', '/me', { name: secret }),
  'as part of a webhook URL': (secret) =>
    owner.ask('POST', `/businesses/${business}/webhook-endpoints`, {
      url: `https://shop.example/hook?key=${secret}`,
    }),
  'as description of a webhook endpoint': (secret) =>
    owner.ask('POST', `/businesses/${business}/webhook-endpoints`, {
      url: 'https://shop.example/',
      description: secret,
    }),
  'in metadata of a monitored address': (secret) =>
    owner.ask('POST', `/businesses/${business}/monitoring/addresses`, {
      chain: 'ethereum',
      address: `0x${'ab'.repeat(20)}`,
      metadata: { secret },
    }),
  'as reason of a suspension': (secret) =>
    owner.ask('POST', `/operator/businesses/${business}/suspend`, { reason: secret }),
}

const order = () => ({ chain: 'ethereum', token: 'USDC', amount: '1' })
const cookieOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const sessionOf = ({ cookies }: Browser) => cookies.get('__Host-cowry_session') ?? ''

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'], traced: true, env: { LOG_LEVEL: 'trace' } })
  redis = new Redis(stack.redis.url)
  sinks = sinksOf(stack, redis, answers)
  credentials["the stack's API key"] = tracesOf(stack.apiKey, 12)
  credentials["the stack's webhook secret"] = tracesOf(webhookSecret.slice(6, 6 + 42))
  credentials["the owner's password"] = tracesOf(demoPassword)
  owner = await signedIn(stack, undefined, record)
  issued('the session cookie', sessionOf(owner))
  business = (await owner.ask<{ id: string }>('POST', '/businesses', { name: 'Shop' })).body.id
  await exerciseKeys()
  await exerciseAccounts()
  for (const [sink, read] of Object.entries(sinks) as [SinkName, Sink][]) texts.set(sink, await read())
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
})

/** Creates, lists, reads, changes, rotates and revokes keys; uses them before and after. */
async function exerciseKeys(): Promise<void> {
  const keys = `/businesses/${business}/keys`
  const { id, secret } = await newKey('a key that was used')
  const use = (text: string) =>
    Promise.all(
      ['/auth/me', '/crypto/wallets', '/pos/sessions'].map((path) =>
        send('GET', `/api/v1${path}`, { 'x-api-key': text }),
      ),
    )
  await use(secret)
  await owner.ask('PATCH', `${keys}/${id}`, {
    name: 'changed',
    requestsPerMinute: 100,
    allowedAddresses: ['127.0.0.1'],
  })
  const { body } = await owner.ask<{ secret: string }>('POST', `${keys}/${id}/rotate`, { overlapSeconds: 60 })
  issued('the rotated key', body.secret, tracesOf(body.secret, 12))
  await use(body.secret)
  await owner.ask('POST', `${keys}/${id}/revoke`)
  for (const path of [keys, `${keys}/${id}`, `/businesses/${business}/audit`]) await owner.ask('GET', path)
  for (const [state, sql] of [
    ['revoked', 'revoked_at = now()'],
    ['expired', "expires_at = now() - interval '1 s'"],
  ]) {
    const ended = await newKey(`a key that is ${state}`)
    await stack.db.query(`update api_keys set ${sql} where id = $1`, [ended.id])
    await use(ended.secret)
  }
  for (const [place, misplace] of [...Object.entries(misplacements), ...Object.entries(keptTexts)])
    await misplace((await newKey(`a key ${place}`)).secret)
}

async function exerciseAccounts(): Promise<void> {
  const everywhere = async (name: string, secret: string) => {
    for (const misplace of Object.values(misplacements)) await misplace(secret)
    if (credentials[name] === undefined) throw new Error(`${name} is not in credentials`)
  }
  owner = await signedIn(stack, undefined, record)
  await everywhere('the session cookie', issued('the session cookie', sessionOf(owner)))
  const { body: login } = await stack.api<{ accessToken: string }>('POST', '/auth/login', {
    email: demoEmail,
    password: demoPassword,
  })
  credentials['an access token'] = tracesOfToken(login.accessToken)
  await everywhere('an access token', login.accessToken)

  const { body: sent } = await owner.ask<{ token: string }>('POST', `/businesses/${business}/invitations`, {
    email: 'i@example.com',
    role: 'viewer',
  })
  await everywhere('the token of an invitation', issued('the token of an invitation', sent.token))
  const person = await invited(stack, openUnrecorded(), business, 'developer', 'p@example.com', record)
  credentials['a password'] = tracesOf(person.password)
  const { body: begun } = await person.browser.ask<{ secret: string }>('POST', '/me/totp', {
    password: person.password,
  })
  await everywhere(
    'the secret of an authenticator',
    issued('the secret of an authenticator', begun.secret, tracesOf(begun.secret), 2),
  )
  const totp = new TOTP({ secret: begun.secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate()
  const { body: enabled } = await person.browser.ask<{ recoveryCodes: string[] }>('POST', '/me/totp/enable', {
    totp,
  })
  for (const [index, code] of enabled.recoveryCodes.entries()) {
    issued(`recovery code ${index}`, code)
    credentials[`recovery code ${index}, without dashes`] = tracesOf(code.replaceAll('-', ''))
  }
  await everywhere('recovery code 0', enabled.recoveryCodes[0] ?? '')
  const { email, password } = person
  await post(
    '/dashboard/api/sign-in',
    { email, password, recoveryCode: enabled.recoveryCodes[1] },
    inDashboard,
  )
  await post(
    '/dashboard/api/sign-in',
    { email, password, recoveryCode: enabled.recoveryCodes[1] },
    inDashboard,
  )

  const endpoints = `/businesses/${business}/webhook-endpoints`
  const { body: created } = await owner.ask<{ secret: string; endpoint: { id: string } }>('POST', endpoints, {
    url: 'https://shop.example/',
  })
  const { body: rotated } = await owner.ask<{ secret: string }>(
    'POST',
    `${endpoints}/${created.endpoint.id}/rotate-secret`,
  )
  for (const [name, secret] of [
    ['a webhook secret', created.secret],
    ['the rotated webhook secret', rotated.secret],
  ] as const)
    await everywhere(name, issued(name, secret, tracesOf(secret.slice(6))))
  await person.browser.ask('POST', '/me/password', {
    currentPassword: password,
    newPassword: 'wandering-otter-hums-4',
  })
  credentials['a new password'] = tracesOf('wandering-otter-hums-4')
}

/** The owner's session without recording: its answers are checked elsewhere. */
const openUnrecorded = (): Browser => {
  const browser = openBrowser(stack)
  for (const [name, value] of owner.cookies) browser.cookies.set(name, value)
  return browser
}

const found = (traces: Record<string, Traces>) =>
  [...texts].flatMap(([sink, text]) => foundIn(text, traces).map((name) => `${sink} holds ${name}`))

test('setup: all credentials were issued, and every sink has content', () => {
  expect(Object.keys(credentials).length).toBeGreaterThan(50)
  expect(Object.values(credentials).filter((traces) => traces.length === 0)).toEqual([])
  expect(
    Object.fromEntries([...texts].map(([sink, text]) => [sink, text.length > (sink === 'job' ? 50 : 1000)])),
  ).toEqual({
    span: true,
    log: true,
    row: true,
    job: true,
    error: true,
    metric: true,
  })
})

describe('an API key is only in the answer that issues it, in no other answer, row, log line, metric, or Redis key or value', () => {
  test.each([
    'a key that was used',
    'the rotated key',
    'a key that is revoked',
    'a key that is expired',
    "the stack's API key",
  ])('%s', (name) => {
    expect(found({ [name]: credentials[name] ?? [''] })).toEqual([])
  })
  test.each([...Object.keys(misplacements), ...Object.keys(keptTexts)])(
    'also after it was sent %s',
    (place) => {
      expect(found({ [place]: credentials[`a key ${place}`] ?? [''] })).toEqual([])
    },
  )
})

test("the same for session cookies, tokens, authenticators' secrets, recovery codes and webhook secrets; a password is in no answer", () => {
  const others = Object.entries(credentials).filter(([name]) => !name.includes('key'))
  expect(found(Object.fromEntries(others))).toEqual([])
})

describe('a planted credential is found: the tests above can fail', () => {
  const secret = `ak_test_${'Zq7'.repeat(12)}`
  const planted = { it: tracesOf(secret, 12) }
  const expectFound = async (sink: SinkName) =>
    expect([sink, foundIn(await sinks[sink](), planted)]).toEqual([sink, ['it']])

  test('in every encoding', () => {
    const raw = Buffer.from(secret)
    for (const form of [
      secret,
      raw.toString('hex'),
      raw.toString('base64'),
      raw.toString('base64url'),
      secret.slice(0, 30),
    ])
      expect([form, foundIn(form, planted)]).toEqual([form, ['it']])
    expect(foundIn(secret.slice(0, 12), planted)).toEqual([])
  })

  test('in a row, as text and as bytes', async () => {
    const plant =
      'insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until) values (gen_random_uuid(), $1, $2, gen_random_uuid(), now())'
    for (const [key, bytes] of [
      [secret, ''],
      ['plant', Buffer.from(secret)],
    ]) {
      await stack.db.query(plant, [key, bytes])
      await expectFound('row')
      await stack.db.query('delete from idempotency_keys where key = $1', [key])
    }
  })

  test('in a key and in a value of Redis', async () => {
    for (const [key, value] of [
      [`cowry:limit:${secret}`, '1'],
      ['cowry:planted', secret],
    ] as const) {
      await redis.set(key, value)
      await expectFound('job')
      await redis.del(key)
    }
  })

  test("in an answer, a metric, and a process's output", async () => {
    record(JSON.stringify({ error: secret }))
    await expectFound('error')
    answers.pop()
    const server = await startServer((response) => void response.end(`keys{key="${secret}"} 1`))
    const [process] = stack.processes.values()
    if (!process) throw new Error('no process')
    stack.processes.set('leaky', { ...process, metricsUrl: () => server.url })
    await expectFound('metric')
    stack.processes.delete('leaky')
    await server.close()
    const leaky = stack.launch('api', { NODE_OPTIONS: `--${secret}` }, { as: 'leaky' })
    await leaky.ended
    stack.processes.delete('leaky')
    await expectFound('log')
  })
})
