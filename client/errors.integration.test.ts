import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { startServer, type TestServer } from '../test/support/httpServer.ts'
import {
  AuthenticationError,
  ConnectionError,
  CowryError,
  createClient,
  IdempotencyConflictError,
  InsufficientCreditError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ValidationError,
} from './index.ts'
import { readError, readRetryAfter } from './readError.ts'

let server: TestServer

beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.close())

/** The error that a call throws for this answer. */
async function failure(status: number, body: unknown, headers: Record<string, string> = {}) {
  server.answer = (response) =>
    void response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  const client = createClient({ baseUrl: `${server.url}/api/v1`, apiKey: 'ak_test_1', retries: 0 })
  return client.call('getMe').then(
    () => 'no error',
    (error) => error,
  )
}

const kinds: [number, string, new (...details: never[]) => CowryError][] = [
  [400, 'Invalid request body', ValidationError],
  [401, 'Invalid API key', AuthenticationError],
  [401, 'totp_required', AuthenticationError],
  [402, 'insufficient_credit', InsufficientCreditError],
  [403, 'business_not_approved', PermissionError],
  [404, 'Not found', NotFoundError],
  [409, 'request_in_progress', IdempotencyConflictError],
  [422, 'idempotency_key_reused', IdempotencyConflictError],
  [429, 'Too many requests, please try again later.', RateLimitError],
  [409, 'payment_seen', CowryError],
  [422, 'quote_expired', CowryError],
  [413, 'Request body too large', CowryError],
  [500, 'Internal server error', CowryError],
  [503, 'unavailable', CowryError],
]

test.each(kinds)(
  '%d %s becomes its error class, with status, code, message and request id',
  async (status, code, kind) => {
    const error = await failure(status, { error: code, message: 'What to do', requestId: 'r-1' })
    expect(error.constructor).toBe(kind)
    expect(error).toBeInstanceOf(CowryError)
    expect(error).toMatchObject({ name: kind.name, status, code, message: 'What to do', requestId: 'r-1' })
  },
)

describe('further fields of the answer', () => {
  test('wrong fields', async () => {
    const fields = [{ field: 'amount', message: 'is too small' }]
    expect(await failure(400, { error: 'Invalid request body', requestId: 'r', fields })).toMatchObject({
      fields,
    })
    expect(await failure(422, { error: 'quote_mismatch', requestId: 'r', fields })).toMatchObject({ fields })
    expect((await failure(400, { error: 'Invalid request body', requestId: 'r' })).fields).toEqual([])
  })

  test('the time to try again', async () => {
    expect(await failure(429, { error: 'x', requestId: 'r' }, { 'retry-after': '7' })).toMatchObject({
      retryAfterSeconds: 7,
    })
    expect(
      await failure(409, { error: 'request_in_progress', requestId: 'r' }, { 'retry-after': '1' }),
    ).toMatchObject({ retryAfterSeconds: 1 })
    expect((await failure(429, { error: 'x', requestId: 'r' })).retryAfterSeconds).toBeUndefined()
  })

  test('whether work waits for credit, and its status URL', async () => {
    const waiting = await failure(402, {
      error: 'pending_credit',
      requestId: 'r',
      pending: true,
      statusUrl: '/status/1',
    })
    expect(waiting).toMatchObject({ pending: true, statusUrl: '/status/1' })
    expect(await failure(402, { error: 'insufficient_credit', requestId: 'r' })).toMatchObject({
      pending: false,
      statusUrl: undefined,
    })
  })
})

describe("an answer that is not Cowry's", () => {
  test("from a proxy is an error by its status, with the header's request id, and without the proxy's page", async () => {
    const error = await failure(502, '<html>upstream</html>', { 'x-request-id': 'r-9' })
    expect(error).toMatchObject({ status: 502, code: 'http_502', requestId: 'r-9' })
    expect(inspect(error)).not.toContain('upstream')
  })

  test('with success but without JSON, or with a redirect, says that baseUrl may be wrong', async () => {
    expect(await failure(200, '<html></html>')).toMatchObject({
      status: 200,
      code: 'invalid_answer',
      message: expect.stringContaining('baseUrl'),
    })
    expect(await failure(301, '', { location: `${server.url}/elsewhere` })).toMatchObject({
      status: 301,
      code: 'redirected',
    })
    expect(server.heard.map(({ url }) => url)).not.toContain('/elsewhere')
  })

  test('with any text is an error', () => {
    const body = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ error: fc.anything(), message: fc.anything(), fields: fc.array(fc.anything()) })
        .map(anyJson),
    )
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), body, (status, text) => {
        const error = readError({ status, headers: new Headers(), text })
        expect(error).toBeInstanceOf(CowryError)
        expect(error.status).toBe(status)
        expect([error.code, error.message].every((each) => typeof each === 'string' && each !== '')).toBe(
          true,
        )
        for (const each of error.fields ?? [])
          expect([typeof each.field, typeof each.message]).toEqual(['string', 'string'])
      }),
    )
  })
})

/** fast-check also makes values without a JSON form. */
function anyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

test('Retry-After is read in seconds or as a date; other values are ignored', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  fc.assert(
    fc.property(fc.nat(1_000_000), (seconds) => {
      expect(readRetryAfter(String(seconds), now)).toBe(seconds)
      expect(readRetryAfter(new Date(now + seconds * 1000).toUTCString(), now)).toBe(seconds)
    }),
  )
  expect(readRetryAfter(new Date(now - 5000).toUTCString(), now)).toBe(0)
  for (const odd of [null, '', '-1', '1.5', 'soon', '1e3', '2026-01-01'])
    expect(readRetryAfter(odd, now)).toBeUndefined()
})

describe('no error holds the key, the token or the body', () => {
  const secrets = ['ak_test_SECRETKEY', 'SECRETTOKEN', 'SECRETPASSWORD']
  const printed = (error: unknown) =>
    `${inspect(error, { depth: 20, showHidden: true })} ${String((error as Error).stack)} ${JSON.stringify(error)}`
  const answers: [string, TestServer['answer']][] = [
    [
      'refused',
      (response) => void response.writeHead(401).end('{"error":"Invalid API key","requestId":"r"}'),
    ],
    ['no JSON', (response) => void response.end('<html>')],
    ['reset', (response) => void response.socket?.destroy()],
    ['silent', () => {}],
  ]

  test.each(answers)('when the server is %s', async (state, answer) => {
    server.answer = answer
    for (const credential of [{ apiKey: 'ak_test_SECRETKEY' }, { accessToken: 'SECRETTOKEN' }]) {
      const client = createClient({
        baseUrl: `${server.url}/api/v1`,
        ...credential,
        retries: 0,
        timeoutMs: state === 'silent' ? 500 : 20_000,
      })
      const error = await client
        .call('login', { body: { email: 'ada@example.com', password: 'SECRETPASSWORD' } })
        .catch((error) => error)
      expect(error).toBeInstanceOf(CowryError)
      expect(secrets.filter((secret) => printed(error).includes(secret))).toEqual([])
    }
    expect(server.heard.length).toBe(2)
  })

  test('when the credential is invalid as a header, and nothing is sent', async () => {
    for (const credential of [{ apiKey: 'ak_test_SECRETKEY\n1' }, { accessToken: 'SECRETTOKEN\n1' }]) {
      const client = createClient({ baseUrl: `${server.url}/api/v1`, ...credential })
      const error = await client.call('getMe').catch((error) => error)
      expect(error).toBeInstanceOf(TypeError)
      expect(secrets.filter((secret) => printed(error).includes(secret))).toEqual([])
    }
    expect(server.heard).toEqual([])
  })

  test("when fetch's error quotes the call", async () => {
    const quoting: typeof fetch = async (_, init) => {
      throw Object.assign(new Error(inspect(init)), { cause: { code: inspect(init), init } })
    }
    const client = createClient({
      baseUrl: `${server.url}/api/v1`,
      apiKey: 'ak_test_SECRETKEY',
      fetch: quoting,
      retries: 0,
    })
    const error = await client
      .call('login', { body: { email: 'ada@example.com', password: 'SECRETPASSWORD' } })
      .catch((error) => error)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(secrets.filter((secret) => printed(error).includes(secret))).toEqual([])
  })
})
