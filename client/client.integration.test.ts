import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startServer, type TestServer } from '../test/support/httpServer.ts'
import { apiOperations, dashboardOperations } from './contract/operations.ts'
import {
  type AnswerOf,
  type Client,
  type ClientOptions,
  createClient,
  createDashboardClient,
  type DashboardAnswerOf,
} from './index.ts'
import { fillPath } from './request.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer((response) => void response.end('{}'))
})
afterEach(() => server.close())

const client = (more: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: `${server.url}/api/v1`, apiKey: 'ak_test_1', ...more })
const heard = () => server.heard.map(({ method, url }) => `${method} ${url}`)

describe('a request', () => {
  test('matches the contract of its operation', async () => {
    const { call } = client()
    await call('createSession', { body: { chain: 'tron', token: 'USDT', amount: '2.5' } })
    await call('explainTransaction', { path: { chain: 'ethereum', txId: '0xab' } })
    await call('getLiveness')
    expect(heard()).toEqual([
      'POST /api/v1/pos/sessions',
      'GET /api/v1/chains/ethereum/transactions/0xab/explain',
      'GET /health/live',
    ])
    const [create, explain] = server.heard
    expect(JSON.parse(create?.body ?? '')).toEqual({ chain: 'tron', token: 'USDT', amount: '2.5' })
    expect(create?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' })
    expect([explain?.body, explain?.headers['content-type'], explain?.headers['idempotency-key']]).toEqual([
      '',
      undefined,
      undefined,
    ])
  })

  test('has only the query values that are given', async () => {
    await client().call('listSessions', { query: { limit: 5, status: undefined, reference: 'a b&c=d/é' } })
    await client().call('listSessions', { query: { status: undefined } })
    const [first, second] = server.heard.map(({ url }) => new URL(url, server.url))
    expect([...(first?.searchParams ?? [])]).toEqual([
      ['limit', '5'],
      ['reference', 'a b&c=d/é'],
    ])
    expect(second?.search).toBe('')
  })

  test('carries the key, or the token with its business', async () => {
    await client().call('getMe')
    await client({ apiKey: undefined, accessToken: 'jwt', businessId: 'b1' }).call('getMe')
    await client({ accessToken: () => 'jwt' }).call('getMe')
    await client({ apiKey: undefined }).call('getMe')
    expect(
      server.heard.map(({ headers }) => [
        headers['x-api-key'],
        headers.authorization,
        headers['x-business-id'],
      ]),
    ).toEqual([
      ['ak_test_1', undefined, undefined],
      [undefined, 'Bearer jwt', 'b1'],
      ['ak_test_1', undefined, undefined],
      [undefined, undefined, undefined],
    ])
  })

  test('is refused before sending if a path parameter is missing, empty, or would change the path', async () => {
    const { call } = client()
    const untyped = call as (operation: string, options?: unknown) => Promise<unknown>
    for (const path of [undefined, {}, { id: undefined }, { id: '' }, { id: '.' }, { id: '..' }]) {
      await expect(untyped('cancelSession', { path })).rejects.toThrow(TypeError)
    }
    await expect(untyped('noSuchOperation')).rejects.toThrow('noSuchOperation')
    await expect(untyped('login', { body: {}, idempotencyKey: 'k' })).rejects.toThrow(
      'login takes no idempotency key',
    )
    expect(server.heard).toEqual([])
  })
})

test('a path parameter stays one segment, with any content', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ minLength: 1, unit: 'grapheme' }),
        fc.constantFrom('a/b', '../x', '%2e%2e', '?a', '#a', 'a;b', '\\'),
      ),
      (value) => {
        fc.pre(value !== '.' && value !== '..')
        const { pathname, search, hash } = new URL(
          `http://x${fillPath('op', '/sessions/{id}/cancel', { id: value })}`,
        )
        const [, sessions, id = '', ...rest] = pathname.split('/')
        expect([sessions, decodeURIComponent(id), rest, search, hash]).toEqual([
          'sessions',
          value,
          ['cancel'],
          '',
          '',
        ])
      },
    ),
  )
})

test('baseUrl must be a URL that ends in /api/v1', () => {
  for (const baseUrl of [
    '',
    'https://pay.example.com',
    'pay.example.com/api/v1',
    'https://pay.example.com/api/v1/pos',
  ])
    expect(() => createClient({ baseUrl })).toThrow(TypeError)
  for (const baseUrl of ['https://pay.example.com/api/v1/', '/api/v1'])
    expect(() => createClient({ baseUrl })).not.toThrow()
})

describe('pages', () => {
  const cursors = [null, 'c 1', 'c2', null]
  beforeEach(() => {
    server.answer = (response) =>
      void response.end(
        JSON.stringify({ sessions: [{ id: server.heard.length }], nextCursor: cursors[server.heard.length] }),
      )
  })

  test('follow nextCursor to the last page, with the same query', async () => {
    const ids: unknown[] = []
    for await (const page of client().pages('listSessions', { query: { limit: 1, status: 'paid' } }))
      ids.push(...page.sessions.map(({ id }) => id))
    expect(ids).toEqual([1, 2, 3])
    expect(heard()).toEqual([
      'GET /api/v1/pos/sessions?limit=1&status=paid',
      'GET /api/v1/pos/sessions?limit=1&status=paid&cursor=c+1',
      'GET /api/v1/pos/sessions?limit=1&status=paid&cursor=c2',
    ])
  })

  test('are requested only when needed', async () => {
    for await (const page of client().pages('listSessions')) if (page.sessions.length > 0) break
    expect(server.heard.length).toBe(1)
  })
})

test('the dashboard calls its own API, with its header, without a credential, and with an idempotency key only where money moves', async () => {
  const { call } = createDashboardClient({ baseUrl: `${server.url}/dashboard/api` })
  await call('signIn', { body: { email: 'ada@example.com', password: 'correct horse' } })
  await call('revokeSignIn', { path: { signInId: 'a/b' } })
  expect(heard()).toEqual(['POST /dashboard/api/sign-in', 'POST /dashboard/api/me/sign-ins/a%2Fb/revoke'])
  for (const { headers } of server.heard) {
    expect(headers['x-cowry-dashboard']).toBe('1')
    expect([headers['x-api-key'], headers.authorization, headers['idempotency-key']]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  }
  await call('createRefundOfBusiness', {
    path: { businessId: 'b', id: 's' },
    body: { kind: 'rest', claim: true },
  })
  expect(server.heard.at(-1)?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
})

test('every operation of both contracts can be called', async () => {
  const calls: [Record<string, { method: string; path: string }>, unknown][] = [
    [apiOperations, client().call],
    [dashboardOperations, createDashboardClient({ baseUrl: server.url }).call],
  ]
  for (const [table, call] of calls) {
    for (const [operation, { method, path }] of Object.entries(table)) {
      const parameters = Object.fromEntries(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, `a-${name}`]),
      )
      await (call as (operation: string, options: unknown) => Promise<unknown>)(operation, {
        path: parameters,
      })
      const last = server.heard.at(-1)
      expect([last?.method, last?.url.replace(/^\/api\/v1/, '')]).toEqual([
        method,
        path.replaceAll(/\{(\w+)\}/g, 'a-$1'),
      ])
    }
  }
})

/** Checked by the compiler, never run. */
async function typesAreThoseOfTheContract(): Promise<void> {
  const { call, pages } = client()
  const session: AnswerOf<'createSession'> = await call('createSession', {
    body: { chain: 'ethereum', token: 'USDC' },
  })
  const status: 'pending' | 'paid' | 'paid_out' | 'expired' | 'cancelled' = session.status
  const me: DashboardAnswerOf<'getAccount'> = await createDashboardClient({ baseUrl: '/dashboard/api' }).call(
    'getAccount',
  )
  const email: string = me.account.email
  // @ts-expect-error a body is required
  await call('createSession')
  // @ts-expect-error there is no such chain
  await call('createSession', { body: { chain: status, token: 'USDC' } })
  // @ts-expect-error a path is required
  await call('getSession')
  // @ts-expect-error there is no such query
  await call('listSessions', { query: { state: email } })
  // @ts-expect-error it takes no body
  await call('getMe', { body: {} })
  // @ts-expect-error it takes no idempotency key
  await call('login', { body: { email, password: email }, idempotencyKey: 'k' })
  // @ts-expect-error its answer has no pages
  pages('getMe')
  // @ts-expect-error only the dashboard may call it
  await call('getAccount')
  const dashboard = createDashboardClient({ baseUrl: '/dashboard/api' })
  const path = { businessId: 'b' }
  const ofBusiness: AnswerOf<'getSession'> = await dashboard.call('getSessionOfBusiness', {
    path: { ...path, id: session.id },
  })
  await dashboard.call('createRefundOfBusiness', {
    path: { ...path, id: ofBusiness.id },
    body: { kind: 'rest' },
    idempotencyKey: 'k',
  })
  // @ts-expect-error it is for a business
  await dashboard.call('getSessionOfBusiness', { path: { id: session.id } })
  // @ts-expect-error no money moves: it takes no idempotency key
  await dashboard.call('replayWebhooksOfBusiness', { path, body: {}, idempotencyKey: 'k' })
  // @ts-expect-error the dashboard has it only for a business
  await dashboard.call('getSession', { path: { id: session.id } })
}
void typesAreThoseOfTheContract
