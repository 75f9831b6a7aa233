import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createStack, type Stack } from '../support/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await createStack({ processes: ['treasury', 'api'] })
})
afterAll(() => stack?.close())

const good = { chain: 'ethereum', token: 'USDC', amount: '10' }
const without = (field: 'chain' | 'token' | 'amount') => Object.fromEntries(Object.entries(good).filter(([name]) => name !== field))

/** Every row that a request could have left behind. */
async function traces(): Promise<unknown> {
  const [row] = await stack.db.query(
    `select (select count(*) from pos_sessions) as sessions, (select count(*) from watches) as watches, (select count(*) from outbox) as outbox,
       (select count(*) from deposit_addresses where taken_at is not null) as taken, (select count(*) from events) as events`,
  )
  return row
}

const notStrings = [null, 7, true, [], {}]
const notAmounts = [
  '',
  '0',
  '0.0',
  '0.000000',
  '-1',
  '+1',
  '1e3',
  '1E3',
  'NaN',
  'Infinity',
  '0x10',
  '1,5',
  '1 000',
  ' 1',
  '1 ',
  '01',
  '.5',
  '5.',
  '1.2.3',
  '١٢',
  '9'.repeat(31),
  10,
]
/** BIP-39's and SEP-23's own examples: what nobody should have to find in a list of sessions. */
const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const stellarSeed = 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN'
const notCurrencies = ['', 'ngn', 'NG', 'NGNN', 'N1N', '₦', 5, null]

/** Field, value, and the fields that the answer must name. */
const cases: [string, unknown, unknown, string[]][] = [
  ...['chain', 'token'].flatMap((field) =>
    ['', 'Ethereum', 'bitcoin', 'usdc', 'DAI', ...notStrings].map(
      (value) => [`${field} = ${JSON.stringify(value)}`, field, value, [field]] as [string, string, unknown, string[]],
    ),
  ),
  ...[...notAmounts, '1.1234567', ...notStrings].map(
    (value) => [`amount = ${JSON.stringify(value)}`, 'amount', value, ['amount']] as [string, string, unknown, string[]],
  ),
  ...[...notAmounts, '1.123', ...notStrings].map(
    (value) => [`localAmount = ${JSON.stringify(value)}`, 'localAmount', value, ['localAmount']] as [string, string, unknown, string[]],
  ),
  ...[...notCurrencies, 'ZZZ', ...notStrings].map(
    (value) => [`localCurrency = ${JSON.stringify(value)}`, 'localCurrency', value, ['localCurrency']] as [string, string, unknown, string[]],
  ),
  ...[0, -1, 1.5, 604_801, 1e21, '600', null, true, [], {}].map(
    (value) => [`expirySeconds = ${JSON.stringify(value)}`, 'expirySeconds', value, ['expirySeconds']] as [string, string, unknown, string[]],
  ),
  ...['label', 'reference'].flatMap((field) =>
    ['', 'x'.repeat(201), 'a\u0000b', 'a\ud800b', '\udfff', phrase, ...notStrings].map(
      (value) => [`${field} = ${JSON.stringify(value).slice(0, 30)}`, field, value, [field]] as [string, string, unknown, string[]],
    ),
  ),
  ...[
    null,
    'text',
    7,
    [],
    { big: 'x'.repeat(5000) },
    { nul: 'a\u0000b' },
    { half: ['a\ud800'] },
    { '\udc00': 'the name of a field' },
    { deep: { note: phrase } },
    { [phrase]: 1 },
    { note: `of the till: ${stellarSeed}` },
    Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])),
  ].map((value) => [`metadata = ${JSON.stringify(value).slice(0, 30)}`, 'metadata', value, ['metadata']] as [string, string, unknown, string[]]),
  ...['', 'made-up', 'a.b', 'a.b.c', ...notStrings].map(
    (value) => [`quoteId = ${JSON.stringify(value)}`, 'quoteId', value, ['quoteId']] as [string, string, unknown, string[]],
  ),
]

describe('create-session refuses, naming the field, and stores nothing', () => {
  test.each(cases)('%s', async (_name, field, value, named) => {
    const before = await traces()
    const body: Record<string, unknown> = { ...good, [String(field)]: value }
    if (field === 'localAmount' || field === 'quoteId') delete body.amount
    const answer = await stack.api<{ error: string; message: string; fields: { field: string }[]; requestId: string }>('POST', '/pos/sessions', body)
    expect({ value, status: answer.status, error: answer.body.error }).toEqual({ value, status: 400, error: 'Invalid request body' })
    expect(answer.body.fields.map((each) => each.field.split('.')[0])).toEqual(named)
    expect(answer.body.message).toContain(String(field))
    for (const secret of [phrase, stellarSeed]) expect(JSON.stringify(answer.body)).not.toContain(secret)
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
    expect(await traces()).toEqual(before)
  })

  test.each([
    ['chain missing', without('chain'), ['chain']],
    ['token missing', without('token'), ['token']],
    ['neither amount', without('amount'), ['amount', 'localAmount']],
    ['both amounts', { ...good, localAmount: '100' }, ['amount', 'localAmount']],
    ['a known chain that is not available', { ...good, chain: 'polygon' }, ['chain']],
    ['an unknown field', { ...good, amuont: '1' }, ['amuont']],
    ['a field of the prototype', JSON.parse('{"chain":"ethereum","token":"USDC","amount":"1","__proto__":{"x":1}}'), ['__proto__']],
  ])('%s', async (_name, body, named) => {
    const before = await traces()
    const answer = await stack.api<{ fields: { field: string }[] }>('POST', '/pos/sessions', body)
    expect(answer.status).toBe(400)
    expect(answer.body.fields.map((each) => each.field)).toEqual(named)
    expect(await traces()).toEqual(before)
  })

  test.each([
    ['broken JSON', '{"chain":', 'application/json', 400, 'Invalid request body'],
    ['no JSON object', '[]', 'application/json', 400, 'Invalid request body'],
    ['a bare string', '"x"', 'application/json', 400, 'Invalid request body'],
    ['an empty body', '', 'application/json', 400, 'Invalid request body'],
    ['10 MB', JSON.stringify({ ...good, label: 'x'.repeat(10_000_000) }), 'application/json', 413, 'Request body too large'],
    ['a form', 'chain=ethereum', 'application/x-www-form-urlencoded', 415, 'Unsupported media type'],
    ['text', JSON.stringify(good), 'text/plain', 415, 'Unsupported media type'],
    ['another charset', JSON.stringify(good), 'application/json; charset=iso-8859-1', 415, 'Unsupported media type'],
  ])('%s', async (_name, body, type, status, error) => {
    const before = await traces()
    const answer = await stack.api('POST', '/pos/sessions', body, { 'content-type': type })
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(await traces()).toEqual(before)
  })
})

test('a hash in a label, a reference or metadata is taken: it may be of a transaction', async () => {
  const hash = 'ab'.repeat(32)
  expect(
    (await stack.api('POST', '/pos/sessions', { ...good, label: hash, reference: hash, metadata: { hash, name: hash, emoji: '🐚' } })).status,
  ).toBe(201)
})

test('a key or a phrase in a name is refused, and so is half a character in any text, by the fields’ names', async () => {
  const url = 'https://receiver.example.com/hook'
  for (const description of [phrase, stellarSeed, `0x${'ab'.repeat(32)}`, 'a\ud800'])
    expect(await stack.api('POST', '/webhook-endpoints', { url, description })).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'description' }] },
    })
  const half = { chain: 'ethereum', address: '0x\ud800' }
  expect(await stack.api('POST', '/monitoring/addresses', half)).toMatchObject({ status: 400, body: { fields: [{ field: 'address' }] } })
})

test('a content type with parameters is JSON all the same', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;x=1']) {
    expect((await stack.api('POST', '/pos/sessions', JSON.stringify(good), { 'content-type': type })).status).toBe(201)
  }
})

describe('lists refuse, naming the parameter', () => {
  const paging = [
    'page=0',
    'page=-1',
    'page=x',
    'page=1.5',
    'limit=0',
    'limit=101',
    'limit=x',
    'sort=up',
    'status=open',
    'unknown=1',
    'page=1&page=2',
    'chain=bitcoin',
  ]
  test.each([...paging.map((query) => ['/pos/sessions', query]), ...[...paging, 'type=Session', 'address='].map((query) => ['/webhooks', query])])(
    '%s?%s',
    async (path, query) => {
      const answer = await stack.api<{ error: string; fields: { field: string }[] }>('GET', `${path}?${query}`)
      expect([answer.status, answer.body.error]).toEqual([400, 'Invalid request parameters'])
      expect(answer.body.fields.map((each) => each.field)).toEqual([query.split('=')[0]])
    },
  )
})

describe('a time that does not exist is refused, naming where it stands', () => {
  const impossible = ['2026-13-20T10:00:00Z', '2026-02-30T10:00:00Z', '2026-11-20T23:59:60Z', '2026-11-20T10:00:00+05', '2026-11-20T10:00:00+24:00']
  test.each(impossible)('%s', async (time) => {
    for (const field of ['since', 'until']) {
      expect(await stack.api('GET', `/webhooks?${field}=${encodeURIComponent(time)}`)).toMatchObject({
        status: 400,
        body: { error: 'Invalid request parameters', fields: [{ field }] },
      })
      expect(await stack.api('POST', '/webhooks/replay', { since: '2026-11-20T10:00:00Z', [field]: time })).toMatchObject({
        status: 400,
        body: { error: 'Invalid request body', fields: [{ field }] },
      })
    }
  })
})

test('unknown paths and methods get a clear answer with a request id, as problem+json when asked for', async () => {
  expect(await stack.api('GET', '/nothing/here')).toMatchObject({ status: 404, body: { error: 'Not found' } })
  expect(await stack.api('DELETE', '/pos/sessions')).toMatchObject({ status: 405, body: { error: 'Method not allowed' } })
  const problem = await stack.api(
    'POST',
    '/pos/sessions',
    { ...good, amount: '0' },
    { accept: 'application/problem+json', 'x-request-id': 'my-own-request' },
  )
  expect(problem.headers.get('content-type')).toContain('application/problem+json')
  expect(problem.body).toMatchObject({
    type: 'about:blank',
    title: 'Invalid request body',
    status: 400,
    requestId: 'my-own-request',
    fields: [{ field: 'amount' }],
  })
})

test('an operation without a body refuses one, so that a misspelt request is not half understood', async () => {
  const session = await stack.createSession()
  expect(await stack.api('POST', `/pos/sessions/${session.id}/cancel`, { resaon: 'x' })).toMatchObject({
    status: 400,
    body: { fields: [{ field: 'resaon' }] },
  })
  expect((await stack.session(session.id)).status).toBe('pending')
  expect((await stack.api('POST', `/pos/sessions/${session.id}/cancel`, {})).status).toBe(200)
})
