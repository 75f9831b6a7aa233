import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type ReceivedRequest, startServer, type TestServer } from '../test/support/httpServer.ts'
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  createDashboardClient,
  RateLimitError,
} from './index.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

const client = (more: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: `${server.url}/api/v1`, apiKey: 'ak_test_1', ...more })

type Answering = TestServer['answer']
const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response
      .writeHead(code, headers)
      .end(JSON.stringify(code < 300 ? { id: 's1' } : { error: `refused_${code}`, requestId: 'r1' }))
const reset: Answering = (response) => void response.socket?.destroy()
const half: Answering = (response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"id":', () => response.socket?.destroy())
}
const silence: Answering = () => {}

/** Gives these answers in order, then repeats the last. */
function answers(...all: [Answering, ...Answering[]]): void {
  let next = 0
  server.answer = (response, request) => {
    const answer = all[Math.min(next++, all.length - 1)]
    answer?.(response, request)
  }
}

const keysOf = (heard: ReceivedRequest[]) => heard.map(({ headers }) => headers['idempotency-key'])
const createSession = (from: Client, idempotencyKey?: string) =>
  from.call('createSession', { body: { chain: 'ethereum', token: 'USDC', amount: '1' }, idempotencyKey })
const login = (from: Client) =>
  from.call('login', { body: { email: 'ada@example.com', password: 'correct horse' } })

const passing: [string, Answering][] = [
  ['429', status(429)],
  ['502', status(502)],
  ['503', status(503)],
  ['504', status(504)],
  ['a connection reset', reset],
  ['half an answer', half],
  ['silence', silence],
]

describe('a request with an idempotency key', () => {
  test.each(passing)('is repeated identically after %s, with the same key', async (_, failure) => {
    answers(failure, status(201))
    expect(await createSession(client({ timeoutMs: 2000 }))).toEqual({ id: 's1' })
    const [first, second, ...more] = server.heard
    expect(more).toEqual([])
    expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toEqual(first)
  })

  test("keeps the caller's key, and gets a new one per call otherwise", async () => {
    answers(status(503), status(201))
    await createSession(client(), 'order-7')
    await createSession(client())
    await createSession(client())
    const [first, second, third, fourth] = keysOf(server.heard)
    expect([first, second]).toEqual(['order-7', 'order-7'])
    expect(third).not.toBe(fourth)
  })

  test('is repeated three times by default, then throws the last failure', async () => {
    answers(status(503))
    await expect(createSession(client())).rejects.toMatchObject({
      status: 503,
      code: 'refused_503',
      requestId: 'r1',
    })
    expect(new Set(keysOf(server.heard)).size).toBe(1)
    expect(server.heard.length).toBe(4)
    await expect(createSession(client({ retries: 0 }))).rejects.toMatchObject({ status: 503 })
    expect(server.heard.length).toBe(5)
  })
})

test.each([400, 401, 402, 403, 404, 409, 413, 422, 500, 501])('%d is never repeated', async (code) => {
  answers(status(code))
  await expect(createSession(client())).rejects.toMatchObject({ status: code })
  await expect(client().call('getMe')).rejects.toMatchObject({ status: code })
  expect(server.heard.length).toBe(2)
})

describe('a request that is unsafe to repeat', () => {
  const requests: [string, (from: Client) => Promise<unknown>][] = [
    ['POST without a key', login],
    ['PATCH', (from) => from.call('renameWallet', { path: { id: 'w1' }, body: { name: 'till' } })],
    ['PUT', (from) => from.call('setFinality', { body: { rules: [] } })],
  ]
  const unknown: [string, Answering][] = [
    ['502', status(502)],
    ['504', status(504)],
    ['a connection reset', reset],
    ['half an answer', half],
    ['silence', silence],
  ]

  describe.each(requests)('%s', (_, request) => {
    test.each(unknown)('is not repeated after %s: the server may have executed it', async (_, failure) => {
      answers(failure)
      await expect(request(client({ timeoutMs: 1000 }))).rejects.toThrow()
      expect(server.heard.length).toBe(1)
    })

    test.each([429, 503])('is repeated after %d: nothing was done', async (code) => {
      answers(status(code), status(200))
      await request(client())
      expect(server.heard.length).toBe(2)
    })
  })

  test('is repeated when no connection was made', async () => {
    await server.close()
    let attempts = 0
    const counting: typeof fetch = (input, init) => {
      attempts++
      return fetch(input, init)
    }
    const failure = await login(client({ fetch: counting, retries: 2 })).catch((error) => error)
    expect(failure).toBeInstanceOf(ConnectionError)
    expect(failure).toMatchObject({
      status: 0,
      code: 'not_connected',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    expect(attempts).toBe(3)
  })
})

describe('Retry-After', () => {
  test('is waited for', async () => {
    answers(status(429, { 'retry-after': '1' }), status(201))
    const began = performance.now()
    await createSession(client())
    expect(performance.now() - began).toBeGreaterThan(990)
  })

  test('of more than a minute is left to the caller', async () => {
    answers(status(429, { 'retry-after': '3600' }))
    const failure = await createSession(client()).catch((error) => error)
    expect(failure).toBeInstanceOf(RateLimitError)
    expect(failure.retryAfterSeconds).toBe(3600)
    expect(server.heard.length).toBe(1)
  })
})

describe('a signal', () => {
  test('that is already aborted prevents the request', async () => {
    const reason = new Error('not any more')
    await expect(client({ retries: 0 }).call('getMe', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    expect(server.heard).toEqual([])
  })

  test('ends a running request, which is not repeated', async () => {
    const aborting = new AbortController()
    const reason = new Error('not any more')
    server.answer = () => aborting.abort(reason)
    await expect(client({ retries: 0 }).call('getMe', { signal: aborting.signal })).rejects.toBe(reason)
    expect(server.heard.length).toBe(1)
  })

  test('ends the wait for the next attempt', async () => {
    const aborting = new AbortController()
    const reason = new Error('not any more')
    answers(status(503, { 'retry-after': '60' }))
    const waiting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      setTimeout(() => aborting.abort(reason), 100)
      return response
    }
    await expect(client({ fetch: waiting }).call('getMe', { signal: aborting.signal })).rejects.toBe(reason)
    expect(server.heard.length).toBe(1)
  })
})

test('an access token is requested before each attempt', async () => {
  answers(status(503), status(200))
  let asked = 0
  await client({ apiKey: undefined, accessToken: async () => `token-${++asked}` }).call('getMe')
  expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ])
})

describe('the dashboard', () => {
  const dashboard = () => createDashboardClient({ baseUrl: `${server.url}/dashboard/api` })

  test.each(passing.filter(([name]) => name !== 'silence'))('repeats a GET after %s', async (_, failure) => {
    answers(failure, status(200))
    await dashboard().call('getAccount')
    expect(server.heard.length).toBe(2)
    for (const { headers } of server.heard) expect(headers['x-cowry-dashboard']).toBe('1')
  })

  test.each(passing.filter(([name]) => name !== 'silence'))(
    'repeats what has a key with that key after %s',
    async (_, failure) => {
      answers(failure, status(201))
      const body = {
        amount: '5',
        source: { chain: 'base', token: 'USDC' },
        destination: { id: 'a' },
      } as const
      await dashboard().call('createPayoutOfBusiness', {
        path: { businessId: 'b' },
        body,
        idempotencyKey: 'once',
      })
      expect(server.heard.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once'])
    },
  )

  test.each(passing.filter(([name]) => name !== 'silence'))(
    'repeats nothing more after %s',
    async (_, failure) => {
      answers(failure)
      await expect(dashboard().call('signOut')).rejects.toThrow()
      await expect(dashboard().call('changeAccount', { body: { name: 'Ada' } })).rejects.toThrow()
      expect(server.heard.map(({ method, headers }) => [method, headers['x-cowry-dashboard']])).toEqual([
        ['POST', '1'],
        ['PATCH', '1'],
      ])
    },
  )
})
