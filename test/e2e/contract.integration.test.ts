import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { loadContract, operationsOf, permissionsOf } from '../../api/contract.ts'
import { businessModel } from '../../src/accounts/models.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { openDirect } from '../../src/platform/db.ts'
import { newId } from '../../src/platform/ids.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { nameOf, sampleOf } from '../support/sampleRequests.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

const contract = loadContract()
const operations = operationsOf(contract)
const guarded = operations.filter(({ operation }) => operation['x-scope'] !== 'public')
let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'] })
  // What owners may is in no key that does not name it.
  await stack.db.query('update api_keys set permissions = $1', [permissionsOf(contract).map(({ permission }) => permission)])
})
afterAll(() => stack?.close())

test('the served document is the bundled one', async () => {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/openapi.json`)
  expect(await response.json()).toEqual(contract)
})

const withBody = guarded.filter(({ operation }) => operation.requestBody)

test.each(withBody.map((listed) => [nameOf(listed), listed] as const))(
  '%s refuses a field that it does not know, what is no JSON, and another type, and keeps nothing',
  async (_name, listed) => {
    const verb = listed.method.toUpperCase()
    const { path: to, body } = sampleOf(listed)
    const before = await contentsOf(stack)
    const unknown = await stack.api<{ fields: { field: string }[] }>(verb, to, { ...body, mispelt: 1 })
    expect([unknown.status, unknown.body.fields.map(({ field }) => field)]).toEqual([400, ['mispelt']])
    const text = JSON.stringify(body)
    for (const broken of [text.slice(0, -1), `${text}x`, `[${text}]`, '"x"', ''])
      expect([broken, (await stack.api(verb, to, broken)).status]).toEqual([broken, 400])
    expect((await stack.api(verb, to, text, { 'content-type': 'text/plain' })).status).toBe(415)
    expect(await contentsOf(stack)).toEqual(before)
  },
)

test('every POST takes an Idempotency-Key, but for those whose answer holds a secret, which is never stored', () => {
  const posts = operations.filter(({ method }) => method === 'post')
  const takes = ({ operation }: (typeof posts)[number]) => JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey')
  const secret = posts.filter(({ operation }) => operation['x-secret-answer'])
  expect(posts.filter((each) => !takes(each)).map(nameOf)).toEqual(secret.map(nameOf))
  expect(secret.map(nameOf)).toEqual([
    'POST /auth/login',
    'POST /webhook-endpoints',
    'POST /webhook-endpoints/{id}/rotate-secret',
    'POST /crypto/wallets/generate',
  ])
})

test('whatever changes something says what the audit log will say of it; only what keeps nothing says none', () => {
  const writes = operations.filter(({ operation }) => operation['x-scope'] === 'write')
  for (const listed of writes)
    expect([nameOf(listed), listed.operation['x-audit']]).toEqual([nameOf(listed), expect.stringMatching(/^([a-z]+\.[a-z_]+|none)$/)])
  expect(writes.filter(({ operation }) => operation['x-audit'] === 'none').map(nameOf)).toEqual(['POST /crypto/wallets/generate'])
  expect(operations.filter(({ operation }) => operation['x-scope'] !== 'write' && operation['x-audit'] !== undefined).map(nameOf)).toEqual([])
})

/** The names of all fields that a schema of the contract can have, its references followed. */
function fieldsOf(schema: unknown, seen = new Set<unknown>()): string[] {
  if (schema === null || typeof schema !== 'object' || seen.has(schema)) return []
  seen.add(schema)
  const { $ref, properties, ...rest } = schema as { $ref?: string; properties?: Record<string, unknown> }
  const target = $ref
    ?.slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], contract)
  const inside = [target, ...Object.values(properties ?? {}), ...Object.values(rest)]
  return [...Object.keys(properties ?? {}), ...inside.flatMap((each) => fieldsOf(each, seen))]
}

test('no operation is about API keys, and no answer holds one: they are made, seen and revoked in the dashboard alone', () => {
  const aboutKeys = operations.filter(({ path, operation }) => /keys?\b/i.test(`${path} ${operation.operationId} ${operation['x-permission']}`))
  expect(aboutKeys.map(nameOf)).toEqual(['GET /.well-known/jwks.json'])
  const answered = operations.flatMap((listed) => {
    const carriedOut = Object.entries(listed.operation.responses).flatMap(([status, answer]) => (status.startsWith('2') ? [answer] : []))
    return [...new Set(fieldsOf(carriedOut))].filter((field) => /key|secret|token$/i.test(field)).map((field) => `${nameOf(listed)} ${field}`)
  })
  // Whose symbols, wallets' and receivers' public keys they are; the rest names a key, tells of signing keys, is the access token, or is shown this once.
  const others = answered.filter((each) => !/ (token|movementKey|publicKey|previousPublicKey|previousSecretUntil)$/.test(each))
  expect(others).toEqual([
    'POST /auth/login accessToken',
    'GET /auth/me apiKey',
    'GET /.well-known/jwks.json keys',
    'POST /webhook-endpoints secret',
    'POST /webhook-endpoints/{id}/rotate-secret secret',
    'POST /crypto/wallets/generate privateKey',
  ])
})

test('a stranger finds nothing of ours: not in lists, not in settings, not under the same idempotency key', async () => {
  const businessId = newId()
  await businessModel(stack.db.sequelize).create({
    id: businessId,
    name: 'Stranger',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: { ethereum: ['USDT'] },
  })
  const stranger = { 'x-api-key': (await createApiKey(stack, { businessId, name: 'stranger', scope: 'write', environment: 'test' })).reveal() }
  const ours = await stack.createSession({ reference: 'ours' })

  for (const id of ['nonsense', '%00', "' or 1=1 --"]) {
    expect(await stack.api('GET', `/pos/sessions/${encodeURIComponent(id)}`, undefined, stranger)).toMatchObject({
      status: 404,
      body: { error: 'Not found' },
    })
    expect(await stack.api('POST', `/pos/sessions/${encodeURIComponent(id)}/cancel`, undefined, stranger)).toMatchObject({ status: 404 })
  }
  expect((await stack.session(ours.id)).status).toBe('pending')
  expect((await stack.api('GET', '/pos/sessions?reference=ours', undefined, stranger)).body).toMatchObject({ sessions: [], total: 0 })
  expect((await stack.api('GET', '/webhooks?type=session.*', undefined, stranger)).body).toMatchObject({ webhooks: [], total: 0 })
  expect((await stack.api('GET', `/pos/sessions/networks?businessId=${stack.businessId}`, undefined, stranger)).status).toBe(404)
  expect((await stack.api('GET', '/pos/sessions/networks', undefined, stranger)).body).toEqual({
    networks: [{ chain: 'ethereum', tokens: ['USDT'] }],
  })
  expect(await stack.api('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '1' }, stranger)).toMatchObject({
    status: 400,
    body: { fields: [{ field: 'token' }] },
  })
  // The session's address is nobody's to them, and their choices are not ours.
  const rules = [{ chain: 'ethereum', largeFrom: '5' }]
  const ofOwner = await createApiKey(stack, { businessId, name: 'owner', scope: 'write', permissions: ['finality:write'], environment: 'test' })
  expect((await stack.api('PUT', '/settings/finality', { rules }, { 'x-api-key': ofOwner.reveal() })).body).toMatchObject({
    chains: [{ largeFrom: '5' }],
  })
  expect((await stack.api('GET', '/settings/finality')).body).toMatchObject({ chains: [{ largeFrom: null }] })
  // The same idempotency key in two businesses is two keys.
  const [one, other] = await Promise.all(
    [{}, stranger].map((who) =>
      stack.api<SessionBody>('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDT', amount: '1' }, { ...who, 'idempotency-key': 'same' }),
    ),
  )
  expect([one?.status, other?.status]).toEqual([201, 201])
  expect(one?.body.id).not.toBe(other?.body.id)
})

test('networks, banks and quotes answer as specified', async () => {
  expect((await stack.api('GET', '/pos/sessions/networks/all')).body).toEqual({ networks: [{ chain: 'ethereum', tokens: ['USDC', 'USDT'] }] })
  expect((await stack.api('GET', `/pos/sessions/networks?businessId=${stack.businessId}`)).status).toBe(200)
  const port = stack.processes.get('api')?.port()
  const banks = async (query: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/api/v1/pos/sessions/banks${query}`)).json()) as { banks: { name: string; code: string }[] }
  expect((await banks('')).banks.map((bank) => bank.name)).toEqual(['Access Bank', 'Equity Bank', 'Guaranty Trust Bank'])
  expect((await banks('?currency=NGN')).banks.map((bank) => bank.code)).toEqual(['044', '058'])
  expect((await banks('?countryCode=KE')).banks).toEqual([{ id: '7ea6df5c-6bba-46b2-a7e6-f511959e7edb', name: 'Equity Bank', code: '068' }])

  // Mid rate (1620 + 1600) / 2 = 1610, margin 1.5 %: 16,100 / (1610 × 0.985) = 10.152284263… rounded up; fee 1 % of 16,100.
  const quote = await stack.api<Record<string, string>>('POST', '/pos/sessions/quote', { chain: 'ethereum', token: 'USDC', localAmount: '16100' })
  expect(quote).toMatchObject({
    status: 200,
    body: {
      chain: 'ethereum',
      token: 'USDC',
      amount: '10.152285',
      localAmount: '16100',
      localCurrency: 'NGN',
      rate: '1610',
      fee: '161',
      feeCurrency: 'NGN',
      fxMargin: '1.5',
    },
  })
  const session = await stack.createSession({ amount: undefined, quoteId: quote.body.quoteId })
  expect(session).toMatchObject({ amountExpected: '10.152285', localAmount: '16100', fee: '161', feeCurrency: 'NGN', fxMargin: '1.5' })
  const mismatch = await stack.api('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDT', quoteId: quote.body.quoteId })
  expect(mismatch).toMatchObject({ status: 422, body: { error: 'quote_mismatch', fields: [{ field: 'token' }] } })
})

test('without rates a session by token amount still works, one by fiat amount says when to come back', async () => {
  stack.partner.mode = 'stale'
  await stack.stop('api')
  await stack.start('api')
  try {
    expect(await stack.createSession({ amount: '10' })).toMatchObject({ amountExpected: '10', localAmount: null, feeCurrency: 'USDC', fee: '0.1' })
    const refused = await stack.api('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', localAmount: '16100' })
    expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([503, 'rates_unavailable', '10'])
  } finally {
    stack.partner.mode = 'ok'
  }
})

test('a database that is away is our fault: 503 and when to come back, not a wrong key nor a wrong password', async () => {
  const url = new URL(stack.databaseUrl)
  const name = url.pathname.slice(1)
  url.pathname = '/postgres'
  const admin = await openDirect(url.href, 'contract suite')
  const allow = (connections: boolean) => admin.query(`alter database "${name}" with allow_connections ${connections}`)
  try {
    await allow(false)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    for (const answer of [
      await stack.api('GET', '/pos/sessions'),
      await stack.api('POST', '/auth/login', { email: 'ada@example.com', password: 'x' }, { 'x-api-key': '' }),
    ])
      expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
    // An answer is given again for a second.
    await waitFor('not ready', async () => {
      const ready = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/health/ready`)
      const { checks } = (await ready.json()) as { checks: Record<string, string> }
      return ready.status === 503 && checks.database === 'unavailable'
    })
  } finally {
    await allow(true)
    await admin.close()
  }
  await waitFor('the database again', async () => {
    const mine = await stack.db.query('select 1').catch(() => [])
    return mine.length === 1 && (await stack.api('GET', '/pos/sessions')).status === 200
  })
})

test('lists page by page and by cursor, filter, sort, and refuse to go too deep', async () => {
  for (let i = 0; i < 5; i++) await stack.createSession({ reference: 'paged', label: `n${i}` })
  type List = { sessions: SessionBody[]; total: number; totalPages: number; page: number; nextCursor: string | null }
  const list = async (query: string) => (await stack.api<List>('GET', `/pos/sessions?reference=paged&${query}`)).body
  const all = await list('sort=ASC')
  expect(all.sessions.map((session) => session.label)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
  expect(await list('page=2&limit=2')).toMatchObject({ total: 5, totalPages: 3, page: 2, limit: 2, sessions: [{ label: 'n2' }, { label: 'n1' }] })
  const first = await list('limit=3')
  expect(await list(`limit=3&cursor=${first.nextCursor}`)).toMatchObject({ sessions: [{ label: 'n1' }, { label: 'n0' }], nextCursor: null })
  expect(await list('status=paid')).toMatchObject({ total: 0, sessions: [] })
  expect(await stack.api('GET', '/pos/sessions?page=101&limit=100')).toMatchObject({ status: 400, body: { fields: [{ field: 'page' }] } })
  expect(await stack.api('GET', '/pos/sessions?cursor=nonsense')).toMatchObject({ status: 400, body: { fields: [{ field: 'cursor' }] } })
})

test('a pending session can be cancelled, once; cancelling again says what it is', async () => {
  const session = await stack.createSession()
  expect(await stack.api('POST', `/pos/sessions/${session.id}/cancel`)).toMatchObject({ status: 200, body: { id: session.id, status: 'cancelled' } })
  expect(await stack.api('POST', `/pos/sessions/${session.id}/cancel`)).toMatchObject({ status: 409, body: { error: 'session_not_pending' } })
})
