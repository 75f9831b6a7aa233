import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { startServer, type TestServer } from '../../../test/support/httpServer.ts'
import { ProviderError } from '../chain.ts'
import { type Http, openHttp } from './http.ts'

/** Long if an answer comes, short if not. */
const [far, near] = [20_000, 250]
let server: TestServer
const opened: Http[] = []
const open = (url: string, timeoutMs = far, headers: Record<string, string> = {}) => {
  const http = openHttp(url.replace('HOST', `127.0.0.1:${server.port}`), timeoutMs, 'the node', headers)
  opened.push(http)
  return http
}

beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  await server.close()
  await Promise.all(opened.splice(0).map((http) => http.close()))
})

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  )
const asked = () => server.heard.map(({ method, url }) => `${method} ${url}`)

describe('the URL of a request', () => {
  test.each([
    ['http://HOST', undefined, '/'],
    ['http://HOST/v2/KEY?key=QUERYKEY', undefined, '/v2/KEY?key=QUERYKEY'],
    ['http://HOST', '/ledgers/7', '/ledgers/7'],
    ['http://HOST/', '/ledgers/7', '/ledgers/7'],
    ['http://HOST/v2/KEY', '/ledgers/7', '/v2/KEY/ledgers/7'],
    ['http://HOST/v2/KEY/', '/ledgers/7', '/v2/KEY/ledgers/7'],
    ['http://HOST/v2?key=QUERYKEY', '/ledgers', '/v2/ledgers?key=QUERYKEY'],
    ['http://HOST/v2?key=QUERYKEY', '/ledgers?limit=1', '/v2/ledgers?limit=1&key=QUERYKEY'],
  ])('of %s and the path %s is %s', async (url, path, expected) => {
    await open(url).request('ledgers', { method: 'GET', ...(path === undefined ? {} : { path }) })
    expect(asked()).toEqual([`GET ${expected}`])
  })
})

test('user and password become basic authorization, decoded; headers are sent with each request', async () => {
  await open('http://us%20er:pass%3Aword@HOST', far, { 'TRON-PRO-API-KEY': 'topkey' }).request('a', {
    method: 'POST',
    body: '{}',
  })
  const { headers, body, method } = server.heard[0] ?? {}
  expect(headers?.authorization).toBe(`Basic ${Buffer.from('us er:pass:word').toString('base64')}`)
  expect([headers?.['tron-pro-api-key'], headers?.['content-type'], body, method]).toEqual([
    'topkey',
    'application/json',
    '{}',
    'POST',
  ])
})

test.each([
  [undefined, 1000],
  ['3', 3000],
  ['600', 60_000],
  ['0', 1000],
  ['-5', 1000],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 1000],
])('an endpoint that requests a pause of %s gets one of %d ms', async (retryAfter, waitMs) => {
  server.answer = (response) =>
    void response.writeHead(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('no')
  const answer = await open('http://HOST').request('a', { method: 'GET' })
  expect([answer.status, answer.text(), answer.waitMs]).toEqual([429, 'no', waitMs])
})

describe('a request that fails', () => {
  test.each<[string, TestServer['answer']]>([
    ['no answer', () => {}],
    ['an answer that never ends', (response) => void response.write('{"a":')],
    ['a broken connection', (response) => void response.destroy()],
  ])(
    'by %s is a failure of the provider, reported by its name and without its URL',
    async (_what, answer) => {
      server.answer = answer
      const error = await failure(
        open('http://TOPUSER:TOPPASS@HOST/TOPPATHKEY?key=TOPQUERYKEY', near).request('getBlock', {
          method: 'GET',
        }),
      )
      expect(error).toBeInstanceOf(ProviderError)
      expect(error.message).toMatch(/^the node: getBlock: /)
      expect(error.message).not.toMatch(/TOP/)
    },
  )
})

test('a provider’s text is shown without user, password, path, query and headers', () => {
  const { withoutSecrets } = open('http://TOPUSER:TOPPASS@HOST/v2/TOPPATHKEY?key=TOPQUERYKEY', far, {
    'x-key': 'TOPHEADER',
  })
  const said = 'TOPUSER may not read /v2/TOPPATHKEY?key=TOPQUERYKEY with TOPPASS and TOPHEADER'
  expect(withoutSecrets(said)).not.toMatch(/TOP/)
  expect(withoutSecrets('block 7 is not there')).toBe('block 7 is not there')
})
