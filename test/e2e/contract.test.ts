import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { loadContract, operationsOf } from '../../api/contract.ts'
import { createApiKey, generateApiKey } from '../../src/accounts/apiKey.ts'
import { businessModel } from '../../src/accounts/models.ts'
import { newId } from '../../src/platform/ids.ts'
import { haveSpecCheck, specCheck } from '../support/shared.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'

const contract = loadContract()
const operations = operationsOf(contract)
const guarded = operations.filter(({ operation }) => operation['x-scope'] !== 'public')
let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'] })
})
afterAll(() => stack?.close())

;(haveSpecCheck ? test : test.skip)(
  'the bundled document holds every operation, field, default and status that the specification states of it',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'cowry-contract-'))
    try {
      const file = join(folder, 'openapi.json')
      writeFileSync(file, JSON.stringify(contract))
      const output = execFileSync(process.execPath, [specCheck, file, '--built'], { encoding: 'utf8' })
      expect(output).toMatch(/^7 of \d+ operations built, 0 things missing/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test('the served document is the bundled one', async () => {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/openapi.json`)
  expect(await response.json()).toEqual(contract)
})

test.each(operations.map(({ method, path, operation }) => [`${method} ${path}`, operation] as const))(
  '%s names its permission and its scope',
  (_name, operation) => {
    expect(operation['x-permission']).toMatch(/^[a-z]+:[a-z]+$/)
    expect(['public', 'read', 'write']).toContain(operation['x-scope'])
    expect(operation['x-scope'] === 'public').toBe(operation.security?.length === 0)
  },
)

/** A request that would be carried out if its credential were good. */
function request(method: string, path: string): [string, string, unknown] {
  const bodies: Record<string, object> = {
    '/pos/sessions': { chain: 'ethereum', token: 'USDC', amount: '1' },
    '/pos/sessions/quote': { chain: 'ethereum', token: 'USDC', amount: '1' },
    '/settings/finality': { rules: [] },
  }
  const to = path
    .replace('{id}', newId())
    .replace('{chain}', 'ethereum')
    .replace('{txId}', `0x${'ab'.repeat(32)}`)
  return [method.toUpperCase(), to, method === 'get' ? undefined : bodies[path]]
}

describe.each(guarded.map(({ method, path, operation }) => [`${method} ${path}`, method, path, operation] as const))(
  '%s',
  (_name, method, path, operation) => {
    const call = (headers: Record<string, string>) => {
      const [verb, to, body] = request(method, path)
      return stack.api(verb, to, body, headers)
    }

    test('refuses the anonymous', async () => {
      const [verb, to, body] = request(method, path)
      const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${to}`, {
        method: verb,
        ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
      })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: 'Missing or invalid Authorization header' })
    })

    test('refuses an invented key, well-formed or not, and any bearer token', async () => {
      for (const key of ['x', generateApiKey('test').reveal(), generateApiKey('live').reveal(), `${stack.apiKey.slice(0, -1)}!`]) {
        expect(await call({ 'x-api-key': key })).toMatchObject({ status: 401, body: { error: 'Invalid API key' } })
      }
      expect((await call({ 'x-api-key': '', authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })).status).toBe(401)
    })

    test('refuses a revoked and an expired key', async () => {
      for (const end of ['revoked_at', 'expires_at']) {
        const key = (await createApiKey(stack, { businessId: stack.businessId, name: end, scope: 'write', environment: 'test' })).reveal()
        await stack.db.query(`update api_keys set ${end} = now() - interval '1 second' where name = $1`, [end])
        expect(await call({ 'x-api-key': key })).toMatchObject({ status: 401, body: { error: 'Invalid API key' } })
        await stack.db.query('delete from api_keys where name = $1', [end])
      }
    })

    test('lets a read key do exactly what its scope allows', async () => {
      const key = (await createApiKey(stack, { businessId: stack.businessId, name: 'reader', scope: 'read', environment: 'test' })).reveal()
      const { status, body } = await call({ 'x-api-key': key })
      if (operation['x-scope'] === 'write') expect([status, body.error]).toEqual([403, 'insufficient_scope'])
      else expect([200, 201, 404]).toContain(status)
    })
  },
)

test('a stranger finds nothing of ours: not by id, not in lists, not by business id', async () => {
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

  for (const id of [ours.id, newId(), 'nonsense', '%00', "' or 1=1 --"]) {
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
  expect((await stack.api('PUT', '/settings/finality', { rules }, stranger)).body).toMatchObject({ chains: [{ largeFrom: '5' }] })
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

test('a database that is away is our fault: 503 and when to come back, not a wrong key', async () => {
  await stack.db.query('alter table api_keys rename to api_keys_away')
  try {
    const answer = await stack.api('GET', '/pos/sessions')
    expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
  } finally {
    await stack.db.query('alter table api_keys_away rename to api_keys')
  }
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
