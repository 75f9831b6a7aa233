import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cpuMsIn } from '../../bench/procStat.ts'
import { createClient } from '../../client/index.ts'
import { revokeKey } from '../../src/apiKeys/changeKey.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { type KeyToStore, storeKey } from '../../src/apiKeys/storeKey.ts'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { setApproval } from '../../src/businesses/operateBusinesses.ts'
import { pause } from '../../src/platform/wait.ts'
import { addBusiness, addMember, addPerson, tokenOf } from '../support/dashboardSession.ts'
import { newBusiness } from '../support/deliveries.ts'
import { forgeToken } from '../support/forgedTokens.ts'
import { full, howMany } from '../support/full.ts'
import { closeAll, type OpenOptions, openQuotes } from '../support/quoteStreams.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { sendUpgrade } from '../support/upgrade.ts'
import { waitFor } from '../support/waitFor.ts'

// Quotes over WebSocket, through an api process with Postgres and Redis.

interface Quote {
  quoteId: string
  amount: string
  localAmount: string | null
  fxMargin: string
  expiresAt: string
}

const issuer = 'http://cowry.test'

let stack: Stack
beforeAll(async () => {
  const env = {
    BASE_URL: issuer,
    QUOTE_SECONDS: '60',
    API_STREAMS_PER_BUSINESS: '1000',
    API_CONNECTIONS: '4000',
    API_CONNECTIONS_PER_NETWORK: '4000',
  }
  stack = await createStack({ processes: ['api'], env })
})
afterAll(() => stack?.close())

const path = '/api/v1/pos/sessions/quote/stream'
const port = () => stack.processes.get('api')?.port()
const good = 'chain=ethereum&token=USDC&amount=25'
const urlOf = (query: string, scheme = 'ws') => `${scheme}://127.0.0.1:${port()}${path}?${query}`

async function makeKey(requested: Partial<KeyToStore> = {}) {
  const key = generateApiKey('test')
  const businessId = requested.businessId ?? (await newBusiness(stack.db))
  const { id } = await storeKey(stack, { businessId, name: 'a', scope: 'read', ...requested, key })
  return { id, businessId, apiKey: key.reveal() }
}
type Key = Awaited<ReturnType<typeof makeKey>>

const open = (query: string, options: OpenOptions = {}) => openQuotes<Quote>(urlOf(query), options)
type Opened = ReturnType<typeof open>

async function metric(name: string): Promise<number> {
  const text = await (await fetch(stack.processes.get('api')?.metricsUrl() ?? '')).text()
  return [...text.matchAll(new RegExp(`^cowry_${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  )
}
const openStreams = (count: number) =>
  waitFor(`${count} streams`, async () => (await metric('streams')) === count)
const setMargin = ({ businessId }: Key, percent: string) =>
  stack.db.query('update businesses set fx_margin_percent = $2 where id = $1', [businessId, percent])

test('a stream sends the quote at once, then one a second at most and only changes; its quote creates a session', async () => {
  const key = await makeKey({ scope: 'write' })
  const priced = 'chain=ethereum&token=USDC&localAmount=16100&localCurrency=NGN'
  const [stream, same] = [open(priced, key), open(priced, key)]
  await Promise.all([stream.has(1), same.has(1)])
  await pause(2500)
  expect([stream.messages.length, same.messages.length]).toEqual([1, 1])
  const began = performance.now()
  for (const margin of ['1', '2', '3', '4', '5']) {
    await setMargin(key, margin)
    await pause(200)
  }
  const isNewest = ({ quotes }: Opened) => quotes().at(-1)?.fxMargin === '5'
  await waitFor('the newest margin', async () => isNewest(stream) && isNewest(same))
  const seconds = (performance.now() - began) / 1000
  const [first, ...later] = stream.quotes()
  expect(first).toMatchObject({ localAmount: '16100', fxMargin: '0' })
  expect(later.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
  expect(stream.messages).toEqual(same.messages)
  const { quoteId, amount } = stream.quotes().at(-1) ?? {}
  const session = await stack.api<{ amountExpected: string }>(
    'POST',
    '/pos/sessions',
    { chain: 'ethereum', token: 'USDC', quoteId },
    { 'x-api-key': key.apiKey },
  )
  expect([session.status, session.body.amountExpected]).toEqual([201, amount])
  await closeAll([stream, same])
  await openStreams(0)
})

describe('is refused before the 101, like any request:', () => {
  const parameters: [query: string, field: string][] = [
    ['token=USDC&amount=1', 'chain'],
    ['chain=&token=USDC&amount=1', 'chain'],
    ['chain=mars&token=USDC&amount=1', 'chain'],
    ['chain=ethereum&chain=base&token=USDC&amount=1', 'chain'],
    ['chain=ethereum&amount=1', 'token'],
    ['chain=ethereum&token=DOGE&amount=1', 'token'],
    ['chain=ethereum&token=USDC', 'amount'],
    ['chain=ethereum&token=USDC&amount=0', 'amount'],
    ['chain=ethereum&token=USDC&amount=-1', 'amount'],
    ['chain=ethereum&token=USDC&amount=1e3', 'amount'],
    ['chain=ethereum&token=USDC&amount=0x10', 'amount'],
    ['chain=ethereum&token=USDC&amount=1.0000001', 'amount'],
    ['chain=ethereum&token=USDC&amount=%FF', 'amount'],
    ['chain=ethereum&token=USDC&amount=1&localAmount=1', 'localAmount'],
    ['chain=ethereum&token=USDC&localAmount=0&localCurrency=NGN', 'localAmount'],
    ['chain=ethereum&token=USDC&localAmount=1.001&localCurrency=NGN', 'localAmount'],
    ['chain=ethereum&token=USDC&localAmount=x&localCurrency=NGN', 'localAmount'],
    ['chain=ethereum&token=USDC&localAmount=5', 'localCurrency'],
    ['chain=ethereum&token=USDC&localAmount=5&localCurrency=ngn', 'localCurrency'],
    ['chain=ethereum&token=USDC&localAmount=5&localCurrency=XXX', 'localCurrency'],
    [`${good}&mispelt=1`, 'mispelt'],
  ]
  test('each parameter, wrong each way, by its name', async () => {
    const { apiKey } = await makeKey()
    for (const [query, field] of parameters) {
      const { status, text } = await sendUpgrade(urlOf(query, 'http'), { 'x-api-key': apiKey })
      const { error, fields } = JSON.parse(text) as { error: string; fields: { field: string }[] }
      expect([query, status, error, fields.map((each) => each.field)]).toEqual([
        query,
        400,
        'Invalid request parameters',
        expect.arrayContaining([field]),
      ])
    }
  })

  test('a credential in the URL, under any name', async () => {
    const { apiKey } = await makeKey()
    for (const name of ['apiKey', 'x-api-key', 'X-API-Key', 'accessToken', 'token', 'access_token']) {
      const { status, text } = await sendUpgrade(urlOf(`${good}&${name}=${apiKey}`, 'http'), {})
      expect([name, status, text.includes(apiKey)]).toEqual([name, 400, false])
    }
  })

  test('what is no handshake of a WebSocket; and no other operation becomes one', async () => {
    const { apiKey } = await makeKey()
    const headers = { 'x-api-key': apiKey }
    const plain = await fetch(urlOf(good, 'http'), { headers })
    expect([plain.status, plain.headers.get('upgrade'), await plain.json()]).toMatchObject([
      426,
      'websocket',
      { error: 'upgrade_required' },
    ])
    for (const wrong of [
      { upgrade: 'h2c' },
      { 'sec-websocket-version': '8' },
      { 'sec-websocket-key': 'x' },
      { 'content-length': '0' },
      { 'transfer-encoding': 'chunked' },
    ] as Record<string, string>[])
      expect([wrong, (await sendUpgrade(urlOf(good, 'http'), { ...headers, ...wrong })).status]).toEqual([
        wrong,
        426,
      ])
    const to = (other: string) => `http://127.0.0.1:${port()}${other}`
    expect((await sendUpgrade(to('/api/v1/pos/sessions?limit=1'), headers)).status).toBe(200)
    expect((await sendUpgrade(to('/api/v1/pos/sessions?limit=1'), {})).status).toBe(401)
    expect((await sendUpgrade(to('/api/v1/nowhere'), headers)).status).toBe(404)
    expect((await sendUpgrade(to('/health/live'), { upgrade: 'h2c' })).status).toBe(200)
    // Without a credential it opens; so its parameters are checked first.
    expect((await sendUpgrade(urlOf('chain=ethereum', 'http'), {})).status).toBe(400)
  })
})

describe('a credential in the first message:', () => {
  const message = (fields: object) => [JSON.stringify(fields)]

  test('a key, an access token, and a token for another business of its account', async () => {
    const owner = await addMember(stack, stack.businessId, 'owner')
    const other = await addBusiness(stack, owner)
    const accessToken = (await tokenOf(stack, owner)).authorization?.replace('Bearer ', '')
    const streams = [
      open(good, { first: message({ apiKey: (await makeKey()).apiKey }) }),
      open(good, { first: message({ accessToken, businessId: stack.businessId }) }),
      open(good, { first: message({ accessToken, businessId: other }) }),
    ]
    for (const stream of streams) {
      await stream.has(1)
      expect(stream.quotes()).toMatchObject([{ amount: '25' }])
    }
    await closeAll(streams)
  })

  test('is refused by name, as a message and a close code', async () => {
    const [key, owner] = [await makeKey(), await addMember(stack, stack.businessId, 'owner')]
    const accessToken = (await tokenOf(stack, owner)).authorization?.replace('Bearer ', '')
    const revoked = await makeKey()
    await revokeKey(stack, systemActor('test'), revoked.businessId, revoked.id)
    const suspended = await suspend(
      await makeKey({ businessId: await addBusiness(stack, await addPerson(stack)) }),
    )
    const refused: [name: string, first: (string | Buffer)[], code: number, error?: string][] = [
      ['no credential', message({}), 4401, 'Missing or invalid Authorization header'],
      ['an unknown key', message({ apiKey: generateApiKey('test').reveal() }), 4401, 'Invalid API key'],
      ['not a key', message({ apiKey: 'x' }), 4401, 'Invalid API key'],
      ['a revoked key', message({ apiKey: revoked.apiKey }), 4401, 'Invalid API key'],
      [
        'an expired key',
        message({ apiKey: (await makeKey({ expiresAt: new Date(Date.now() - 1000) })).apiKey }),
        4401,
        'Invalid API key',
      ],
      [
        'a key of production',
        message({ apiKey: generateApiKey('live').reveal() }),
        4403,
        'environment_mismatch',
      ],
      [
        'without the permission',
        message({ apiKey: (await makeKey({ permissions: ['sessions:read'] })).apiKey }),
        4403,
        'insufficient_permission',
      ],
      [
        'for other addresses',
        message({ apiKey: (await makeKey({ allowedAddresses: ['203.0.113.0/24'] })).apiKey }),
        4403,
        'address_not_allowed',
      ],
      ['of a suspended business', message({ apiKey: suspended.apiKey }), 4403, 'business_suspended'],
      ['not a token', message({ accessToken: 'nonsense' }), 4401, 'Missing or invalid Authorization header'],
      ["a stranger's business", message({ accessToken, businessId: key.businessId }), 4404, 'Not found'],
      [
        'a business alone',
        message({ businessId: key.businessId }),
        4401,
        'Missing or invalid Authorization header',
      ],
      ['an unknown field', message({ apiKey: key.apiKey, key: key.apiKey }), 4400, 'Invalid request body'],
      ['a number', message({ apiKey: 1 }), 4400, 'Invalid request body'],
      ['an empty text', message({ apiKey: '' }), 4400, 'Invalid request body'],
      ['a list', ['[]'], 4400, 'Invalid request body'],
      ['null', ['null'], 4400, 'Invalid request body'],
      ['not JSON', [key.apiKey], 4400, 'Invalid request body'],
      ['nothing', [''], 4400, 'Invalid request body'],
      ['binary', [Buffer.from(JSON.stringify({ apiKey: key.apiKey }))], 1003],
      ['two at once', [JSON.stringify({ apiKey: key.apiKey }), JSON.stringify({ apiKey: key.apiKey })], 1008],
      ['too large', message({ apiKey: key.apiKey.padEnd(9000, 'x') }), 1009],
      ['too late', [], 4401, 'Missing or invalid Authorization header'],
    ]
    const answers = await Promise.all(
      refused.map(async ([name, first]) => {
        const stream = open(good, { first })
        const { code } = await stream.ended()
        const text = JSON.stringify(stream.messages)
        return [
          name,
          code,
          stream.messages.find(({ error }) => error)?.error?.error,
          text.includes(key.apiKey),
        ]
      }),
    )
    expect(answers).toEqual(refused.map(([name, , code, error]) => [name, code, error, false]))
    const { code } = await open('chain=ethereum&token=USDC&amount=0', {
      first: message({ apiKey: key.apiKey }),
    }).ended()
    expect(code).toBe(4400)
    await openStreams(0)
    expect(stack.logs()).not.toContain(key.apiKey)
  })
})

async function suspend(key: Key): Promise<Key> {
  await setApproval(stack, systemActor('test'), key.businessId, 'suspended', 'A test')
  return key
}

test('a message to a stream that has its credential ends it', async () => {
  const { apiKey } = await makeKey()
  for (const [sent, code] of [
    ['again', 1008],
    [Buffer.from('x'), 1003],
  ] as const) {
    const stream = open(good, { apiKey })
    await stream.has(1)
    stream.socket.send(sent)
    expect((await stream.ended()).code).toBe(code)
  }
})

test('a key has twenty streams, and the next when one has ended', async () => {
  const [key, other] = [await makeKey(), await makeKey()]
  const streams = Array.from({ length: 20 }, () => open(good, key))
  await Promise.all(streams.map((each) => each.has(1)))
  const over = await sendUpgrade(urlOf(good, 'http'), { 'x-api-key': key.apiKey })
  expect([over.status, JSON.parse(over.text), over.headers.get('retry-after')]).toMatchObject([
    429,
    { error: 'too_many_streams' },
    '5',
  ])
  expect(await open(good, { first: [JSON.stringify({ apiKey: key.apiKey })] }).ended()).toEqual({
    code: 4429,
    reason: 'too_many_streams',
  })
  const another = open(good, other)
  await another.has(1)
  await streams[0]?.close()
  await openStreams(20)
  const next = open(good, key)
  await next.has(1)
  await closeAll([...streams, another, next])
  await openStreams(0)
})

test('a business has half of the streams of a process, with any number of keys', async () => {
  const [first, other] = [await makeKey(), await makeKey()]
  const second = await makeKey({ businessId: first.businessId })
  await stack.start('api', { API_STREAMS: '4', API_STREAMS_PER_BUSINESS: '' }, { as: 'small' })
  const at = `ws://127.0.0.1:${stack.processes.get('small')?.port()}${path}?${good}`
  const openAt = async (key: Key) => {
    const stream = openQuotes<Quote>(at, key)
    await stream.has(1)
    return stream
  }
  const streams = [await openAt(first), await openAt(second)]
  const over = await sendUpgrade(at.replace('ws', 'http'), { 'x-api-key': second.apiKey })
  expect([over.status, JSON.parse(over.text)]).toMatchObject([
    429,
    { error: 'too_many_streams', message: expect.stringContaining('A business') },
  ])
  expect(await openQuotes(at, { first: [JSON.stringify({ apiKey: first.apiKey })] }).ended()).toEqual({
    code: 4429,
    reason: 'too_many_streams',
  })
  streams.push(await openAt(other))
  await streams.shift()?.close()
  await waitFor(
    'a free place',
    async () => (await sendUpgrade(at.replace('ws', 'http'), { 'x-api-key': first.apiKey })).status === 101,
  )
  await closeAll(streams)
  await stack.stop('small')
})

test('the streams of a key are counted over all processes, and those of one that stops are free at once', async () => {
  const key = await makeKey()
  await stack.start('api', {}, { as: 'second' })
  const at = `ws://127.0.0.1:${stack.processes.get('second')?.port()}${path}?${good}`
  const here = Array.from({ length: 12 }, () => open(good, key))
  await Promise.all(here.map((each) => each.has(1)))
  const there = Array.from({ length: 8 }, () => openQuotes<Quote>(at, key))
  await Promise.all(there.map((each) => each.has(1)))
  const refused = await Promise.all(
    [urlOf(good, 'http'), at.replace('ws', 'http')].map((url) =>
      sendUpgrade(url, { 'x-api-key': key.apiKey }),
    ),
  )
  expect(refused.map(({ status }) => status)).toEqual([429, 429])
  await stack.stop('second')
  const next = Array.from({ length: 8 }, () => open(good, key))
  await Promise.all(next.map((each) => each.has(1)))
  await closeAll([...here, ...there, ...next])
  await openStreams(0)
})

test('a lost right and the end of its token end a stream, and so does a client that answers no ping; others go on', async () => {
  const [key, revoked, suspended] = [
    await makeKey(),
    await makeKey(),
    await makeKey({ businessId: await addBusiness(stack, await addPerson(stack)) }),
  ]
  const { authorization } = await forgeToken(
    stack,
    issuer,
    await addMember(stack, stack.businessId, 'owner'),
    { expires: '5s' },
  )
  const accessToken = String(authorization).replace('Bearer ', '')
  const streams = [
    open(good, key),
    open(good, revoked),
    open(good, suspended),
    open(good, { ...key, autoPong: false }),
    open(good, { first: [JSON.stringify({ accessToken })] }),
  ] as const
  await Promise.all(streams.map((each) => each.has(1)))
  streams[3].socket.pause()
  await revokeKey(stack, systemActor('test'), revoked.businessId, revoked.id)
  await suspend(suspended)
  const ends = await Promise.all([streams[1], streams[2], streams[4]].map((each) => each.ended(60_000)))
  expect(ends.map(({ code }) => code)).toEqual([4401, 4403, 4401])
  expect(streams[4].messages.at(-1)?.error?.message).toContain('has expired')
  await waitFor('the end of the stalled one', async () => (await metric('streams')) === 1, 60_000)
  expect(streams[0].isClosed()).toBe(false)
  streams[3].socket.terminate()
  await streams[0].close()
}, 90_000)

test('equal streams are one request a second; idle ones cost little', async () => {
  const count = howMany(100, 1000)
  const businessId = await newBusiness(stack.db)
  const { pid } = stack.processes.get('api') ?? {}
  const keys = await Promise.all(Array.from({ length: count / 20 }, () => makeKey({ businessId })))
  // What the first stream of a process loads is not what one costs.
  const warm = open(good, keys[0] as Key)
  await warm.has(1)
  await warm.close()
  const before = residentBytes(pid)
  const streams: Opened[] = []
  for (const key of keys) {
    const more = Array.from({ length: 20 }, () => open(good, key))
    await Promise.all(more.map((each) => each.has(1, 30_000)))
    streams.push(...more)
  }
  await openStreams(count)
  const [asked, cpu, started] = [
    await metric('stream_requests_total'),
    cpuMsIn(`/proc/${pid}/stat`),
    performance.now(),
  ]
  await pause(howMany(4000, 60_000))
  const [requests, cpuMs, ms] = [
    (await metric('stream_requests_total')) - asked,
    cpuMsIn(`/proc/${pid}/stat`) - cpu,
    performance.now() - started,
  ]
  expect(requests).toBeGreaterThan(0)
  expect(requests).toBeLessThanOrEqual(Math.ceil(ms / 1000) + 1)
  expect(streams.map(({ messages }) => messages.length)).toEqual(
    streams.map(() => (full ? expect.any(Number) : 1)),
  )
  if (full) {
    const grown = residentBytes(pid) - before
    process.stdout.write(
      `${count} idle streams: ${Math.round(grown / 1e6)} MB, ${((100 * cpuMs) / ms).toFixed(1)} % of a core\n`,
    )
    expect(grown).toBeLessThan(100e6)
    expect(cpuMs / ms).toBeLessThan(0.05)
  }
  await closeAll(streams)
  await openStreams(0)
}, 300_000)

/** NaN without /proc. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

test('the end of the process is 1001, and the iterator of the client goes on with the next process', async () => {
  const key = await makeKey()
  const raw = open('chain=ethereum&token=USDC&localAmount=16100&localCurrency=NGN', key)
  const waiting = open(good)
  await raw.has(1)
  const client = createClient({ baseUrl: `http://127.0.0.1:${port()}/api/v1`, apiKey: key.apiKey })
  const stop = new AbortController()
  const query = { chain: 'ethereum', token: 'USDC', localAmount: '16100', localCurrency: 'NGN' } as const
  const quotes = client.quotes('streamSessionQuote', { query, signal: stop.signal })
  expect((await quotes.next()).value).toMatchObject({ localAmount: '16100', fxMargin: '0' })
  const at = String(port())
  await stack.stop('api')
  expect([(await raw.ended()).code, (await waiting.ended()).code]).toEqual([1001, 1001])
  const next = quotes.next()
  await setMargin(key, '7')
  await stack.start('api', { PORT: at })
  expect((await next).value).toMatchObject({ fxMargin: '7' })
  stop.abort(new Error('enough'))
  await expect(quotes.next()).rejects.toThrow('enough')
  const bad = createClient({
    baseUrl: `http://127.0.0.1:${port()}/api/v1`,
    apiKey: generateApiKey('test').reveal(),
  })
  await expect(bad.quotes('streamSessionQuote', { query }).next()).rejects.toMatchObject({
    name: 'AuthenticationError',
    status: 401,
    code: 'Invalid API key',
  })
  const wrong = client.quotes('streamSessionQuote', { query: { ...query, amount: '1' } })
  await expect(wrong.next()).rejects.toMatchObject({ name: 'ValidationError', status: 400 })
}, 60_000)
