import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newClaimToken } from '../../src/refunds/claimToken.ts'
import { createStack, type Stack } from '../support/stack.ts'

// Requests that public bug reports of other projects are about: each is carried out exactly, or refused by
// name.

let stack: Stack
beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
})
afterAll(() => stack?.close())

interface Answer {
  status: number
  headers: globalThis.Headers
  body: Record<string, unknown> & { fields?: { field: string; message: string }[] }
}

/** Sends bytes as they are. */
async function send(
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1${path}`, {
    method,
    headers: {
      'x-api-key': stack.apiKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

const session = (more: string) => `{"chain":"ethereum","token":"USDC","amount":"1",${more}}`
const sessionsNow = async () =>
  (await stack.db.query<{ n: number }>('select count(*)::int as n from pos_sessions'))[0]?.n

describe('a body that would be changed is refused by name', () => {
  test.each<[string, string | Buffer, string]>([
    ['an integer beyond 2^53', session('"metadata":{"userId":738529527931269425}'), 'metadata.userId'],
    ['a number beyond all', session('"metadata":{"x":1e400}'), 'metadata.x'],
    [
      'a number of too many digits, in a list',
      session('"metadata":{"a":[1,{"b":0.1000000000000000055}]}'),
      'metadata.a.1.b',
    ],
    ['Latin-1', Buffer.from(session('"label":"Café Brühl","reference":"Nº-17"'), 'latin1'), 'label'],
    [
      'a name in Latin-1',
      Buffer.from(session('"metadata":{"Café":1}'), 'latin1'),
      'metadata.a field with a long or odd name',
    ],
    ['a lone surrogate', session('"metadata":{"a":"\\ud800"}'), 'metadata.a'],
    [
      'a token of a refund',
      session(`"metadata":{"link":"https://pay.example/refund#${newClaimToken().reveal()}"}`),
      'metadata.link',
    ],
    ['an override of the direction', session('"label":"Shop \\u202eexe.gpj"'), 'label'],
    ['a space without width', session('"reference":"INV\\u200b7"'), 'reference'],
    ['a seed phrase', session(`"label":"${'abandon '.repeat(11)}about"`), 'label'],
  ])('%s', async (_what, body, field) => {
    const before = await sessionsNow()
    expect(await send('POST', '/pos/sessions', body)).toMatchObject({
      status: 400,
      body: { fields: [{ field }] },
    })
    expect(await sessionsNow()).toBe(before)
  })
})

test('numbers that are kept come back as they were, and so do words of BIP-39 that are no phrase', async () => {
  const kept =
    '"metadata":{"a":9007199254740991,"b":0.1,"c":1e3,"d":-0.5},"label":"zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo"'
  const { status, body } = await send('POST', '/pos/sessions', session(kept))
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { metadata: { a: 9007199254740991, b: 0.1, c: 1000, d: -0.5 } },
  })
})

test('bodies of other bytes are other requests under one Idempotency-Key, and the same bytes are the same', async () => {
  const key = { 'idempotency-key': 'odd-1' }
  const first = await send('POST', '/pos/sessions', session('"metadata":{"n":1}'), key)
  expect(first.status).toBe(201)
  expect((await send('POST', '/pos/sessions', session('"metadata":{"n":1}'), key)).body).toEqual(first.body)
  expect(await send('POST', '/pos/sessions', session('"metadata":{"n":1.0}'), key)).toMatchObject({
    status: 422,
    body: { error: 'idempotency_key_reused' },
  })
})

test('null for an optional field is absent, at any depth; null for a required one is refused', async () => {
  expect(
    await send(
      'POST',
      '/pos/sessions',
      session('"label":null,"metadata":null,"expirySeconds":null,"localAmount":null'),
    ),
  ).toMatchObject({
    status: 201,
    body: { metadata: {} },
  })
  expect(await send('POST', '/pos/sessions', '{"chain":"ethereum","token":null,"amount":"1"}')).toMatchObject(
    { status: 400 },
  )
  expect(
    await send(
      'POST',
      '/webhook-endpoints',
      '{"url":"http://127.0.0.1:9/n","description":null,"secret":null,"signature":null}',
    ),
  ).toMatchObject({
    status: 201,
  })
})

test('zeros beyond the smallest unit are taken everywhere, and other digits nowhere', async () => {
  const local = (amount: string) =>
    `{"chain":"ethereum","token":"USDC","localAmount":"${amount}","localCurrency":"XOF"}`
  expect(await send('POST', '/pos/sessions', local('1000.00'))).toMatchObject({
    status: 201,
    body: { localAmount: '1000' },
  })
  expect(await send('POST', '/pos/sessions/quote', local('1000.00'))).toMatchObject({
    status: 200,
    body: { localAmount: '1000' },
  })
  expect(await send('POST', '/pos/sessions', local('1000.01'))).toMatchObject({
    status: 400,
    body: { fields: [{ field: 'localAmount' }] },
  })
  expect(
    await send('POST', '/pos/sessions', '{"chain":"ethereum","token":"USDC","amount":"1.500000000"}'),
  ).toMatchObject({
    status: 201,
    body: { amountExpected: '1.5' },
  })
})

test('a secret is taken with the prefix of its scheme; another form is refused by what it must be', async () => {
  const endpoint = (secret: string) =>
    send('POST', '/webhook-endpoints', JSON.stringify({ url: 'http://127.0.0.1:9/s', secret }))
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  expect(await endpoint(`v1,${secret}`)).toMatchObject({ status: 201, body: { secret } })
  for (const wrong of [` ${secret}`, `v2,${secret}`, 'v1,whsec_AQEB'])
    expect(await endpoint(wrong)).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'secret', message: expect.stringMatching(/must be whsec_|looks like/) }] },
    })
})

test('all event types are requested by *, and a URL is stored as it was parsed', async () => {
  const made = await send(
    'POST',
    '/webhook-endpoints',
    JSON.stringify({ url: 'HTTP://LOCALHOST:80/a b/../\u00e9', eventTypes: ['*'] }),
  )
  expect(made).toMatchObject({
    status: 201,
    body: { endpoint: { url: 'http://localhost/%C3%A9', eventTypes: null } },
  })
  const { id } = made.body.endpoint as { id: string }
  const change = JSON.stringify({ url: 'http://localhost:80', eventTypes: ['*'] })
  expect(await send('PATCH', `/webhook-endpoints/${id}`, change)).toMatchObject({
    status: 200,
    body: { url: 'http://localhost/', eventTypes: null },
  })
})

test('a cursor is for its own list alone', async () => {
  for (let i = 0; i < 2; i++)
    expect((await send('POST', '/pos/sessions', session(`"reference":"c${i}"`))).status).toBe(201)
  const { nextCursor } = (await send('GET', '/pos/sessions?limit=1')).body
  expect(await send('GET', `/pos/sessions?limit=1&cursor=${nextCursor}`)).toMatchObject({ status: 200 })
  for (const list of ['/payouts', '/crypto/transfers', '/webhooks', '/ledger/entries'])
    expect([list, await send('GET', `${list}?cursor=${nextCursor}`)]).toMatchObject([
      list,
      { status: 400, body: { fields: [{ field: 'cursor' }] } },
    ])
})

test('HEAD is answered as GET, without a body, also for a stream', async () => {
  const get = await send('GET', '/pos/sessions?limit=1')
  const head = await send('HEAD', '/pos/sessions?limit=1')
  expect([head.status, head.headers.get('content-length'), head.body]).toEqual([
    200,
    get.headers.get('content-length'),
    {},
  ])
  expect((await send('HEAD', '/pos/sessions', undefined, { 'x-api-key': 'x' })).status).toBe(401)
  expect((await send('HEAD', '/pos/sessions/nothing')).status).toBe(404)
  const stream = await send('HEAD', '/events', undefined, { accept: 'text/event-stream' })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/event-stream'),
  ])
})

test.each([
  ['DELETE', '/pos/sessions', 'GET, HEAD, POST'],
  ['HEAD', '/pos/sessions/quote', 'POST'],
  ['PUT', '/webhook-endpoints/x', 'GET, HEAD, PATCH, DELETE'],
  ['POST', '/../../health/live', 'GET, HEAD'],
])('405 of %s %s names the methods', async (method, path, allow) => {
  const answer = await send(method, path)
  const listed = (text: string | null) => text?.split(', ').toSorted()
  expect([answer.status, listed(answer.headers.get('allow'))]).toEqual([405, listed(allow)])
})
