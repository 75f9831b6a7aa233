import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startServer, type TestServer } from '../../../test/support/httpServer.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import { openRest, type Rest, RestError } from './rest.ts'

const far = 20_000
let server: TestServer
let rest: Rest
/** Calls through the gate. */
const gated: string[] = []

beforeEach(async () => {
  server = await startServer()
  gated.length = 0
  rest = openRest(
    `http://127.0.0.1:${server.port}/TOPPATHKEY`,
    far,
    (method, request) => {
      gated.push(method)
      return request()
    },
    'the node',
    { 'x-key': 'TOPHEADER' },
  )
})
afterEach(async () => {
  await server.close()
  await rest.close()
})

const answer = (status: number, text: string, headers: Record<string, string> = {}) => {
  server.answer = (response) => void response.writeHead(status, headers).end(text)
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  )

test('GET and POST return JSON', async () => {
  answer(200, '{"height":7}')
  expect([await rest.get('/ledgers?limit=1'), await rest.post('/wallet/getblockbynum', { num: 7 })]).toEqual([
    { height: 7 },
    { height: 7 },
  ])
  expect(server.heard.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/TOPPATHKEY/ledgers?limit=1', ''],
    ['POST', '/TOPPATHKEY/wallet/getblockbynum', '{"num":7}'],
  ])
})

test.each([
  ['/ledgers/57/transactions?limit=200', 'ledgers/transactions'],
  [`/transactions/${'ab'.repeat(32)}/effects`, 'transactions/effects'],
  ['/accounts/GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', 'accounts'],
  ['/wallet/getblockbynum', 'wallet/getblockbynum'],
  ['/', 'root'],
])('%s is counted as "%s": no metric series for each height', async (path, name) => {
  answer(200, '{}')
  await rest.get(path)
  expect(gated).toEqual([name])
})

describe('a refused request', () => {
  test('with status 429 is throttled, with the time to wait', async () => {
    answer(429, 'slow down', { 'retry-after': '3' })
    const error = await failure(rest.get('/ledgers'))
    expect(error).toBeInstanceOf(ThrottledError)
    expect((error as ThrottledError).retryAfterMs).toBe(3000)
  })

  // TronGrid's text, and those of similar services.
  test.each(['The key exceeds the frequency limit(15)', 'Rate Limit exceeded', 'Too many requests'])(
    'with status 403 and the words "%s" is throttled',
    async (said) => {
      answer(403, said)
      expect(await failure(rest.get('/ledgers'))).toBeInstanceOf(ThrottledError)
    },
  )

  test.each([400, 401, 403, 404, 405, 410, 500, 503])(
    'with status %d reports it with the provider’s text',
    async (status) => {
      answer(status, 'no such thing')
      const error = await failure(rest.get('/ledgers/7'))
      expect(error).toBeInstanceOf(RestError)
      expect(error).toBeInstanceOf(ProviderError)
      expect([(error as RestError).status, error.message]).toEqual([
        status,
        `the node: ledgers: status ${status}: no such thing`,
      ])
    },
  )

  test('is reported without secrets, and shortened', async () => {
    answer(500, `TOPPATHKEY TOPHEADER ${'x'.repeat(10_000)}`)
    const { message } = await failure(rest.get('/ledgers'))
    expect(message).not.toMatch(/TOP/)
    expect(message.length).toBeLessThan(300)
  })
})

test.each(['', 'hello', '{"a":', '<html></html>'])(
  'an answer that is not JSON ("%s") is a failure of the provider',
  async (text) => {
    answer(200, text)
    const error = await failure(rest.get('/ledgers'))
    expect(error).toBeInstanceOf(ProviderError)
    expect(error.message).toBe('the node: ledgers: not JSON')
  },
)
