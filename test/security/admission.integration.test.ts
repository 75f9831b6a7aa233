import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Redis } from 'ioredis'
import { sessionCookie } from '../../api/dashboard-api/cookies.ts'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { newId } from '../../src/platform/ids.ts'
import { metric } from '../faults/metric.ts'
import { addBusiness, addPerson, ownHeader, sessionOf } from '../support/dashboardSession.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { headOf, openRaw, type RawAnswer, type RawConnection } from './rawHttp.ts'

const perAddress = 20
const bodyBytes = 400 * 1024
/** Long enough that a busy machine does what a test does with unfinished requests before they are ended. */
const [headersSeconds, requestSeconds] = [4, 8]
const [perNetwork, connections] = [30, 80]
const bulk = '/api/v1/monitoring/addresses/bulk'
const login = '/api/v1/auth/login'
const megabyte = 2 ** 20

let stack: Stack
let port: number
let internalPort: number
let internal: RawConnection[]
beforeAll(async () => {
  stack = await createStack({
    processes: ['api'],
    env: {
      RATE_LIMIT_ADDRESS: String(perAddress),
      API_BODY_BYTES: String(bodyBytes),
      API_HEADERS_SECONDS: String(headersSeconds),
      API_REQUEST_SECONDS: String(requestSeconds),
      API_CONNECTIONS: String(connections),
      API_CONNECTIONS_PER_NETWORK: String(perNetwork),
      // Only tests that act as a proxy send from there.
      TRUSTED_PROXIES: '127.9.0.1',
    },
  })
  port = stack.processes.get('api')?.port() ?? 0
  internalPort = Number(new URL(stack.processes.get('api')?.metricsUrl() ?? '').port)
  // These stay open while the other tests run.
  internal = [
    openRaw(internalPort),
    openRaw(internalPort, '127.0.0.1', 'GET /metrics HTTP/1.1\r\nhost: x\r\n'),
  ]
})
afterAll(() => stack?.close())

let networks = 0
/** Every 127.x.y.z is this machine: each test gets its own network. */
const newNetwork = () => `127.1.0.${++networks}`
const json = (length: number | string, more: Record<string, string> = {}) => ({
  'content-type': 'application/json',
  ...(length === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
  ...more,
})
const errorOf = (answer: RawAnswer | null) => [
  answer?.status,
  answer?.body ? JSON.parse(answer.body).error : undefined,
]
const refused = (reason: string) =>
  metric(stack.processes.get('api'), 'cowry_http_refused_total', `reason="${reason}"`)

/** Sends only the head and waits for the answer; null: the connection ended without one. */
async function askWithoutBody(
  path: string,
  headers: Record<string, string | number>,
  network = newNetwork(),
): Promise<RawAnswer | null> {
  const raw = openRaw(port, network, headOf('POST', path, headers))
  const answer = await raw.answer()
  raw.socket.destroy()
  return answer
}

/** Uses up a network's limit of requests without a credential. */
async function useUp(network: string): Promise<void> {
  for (let i = 0; i < perAddress; i++) {
    const raw = openRaw(
      port,
      network,
      headOf('GET', '/api/v1/pos/sessions/banks?currency=NGN&countryCode=NG'),
    )
    expect((await raw.answer())?.status).toBe(200)
    raw.socket.destroy()
  }
}

describe('a refused request costs no body', () => {
  test.each([
    ['no credential', {}],
    ['an invented key', { 'x-api-key': generateApiKey('test').reveal() }],
    ['an invalid token', { authorization: 'Bearer nonsense' }],
  ])('%s: 401 before any of 4 MB is sent, chunked or not', async (_name, headers) => {
    for (const length of [4 * megabyte, 'chunked']) {
      const answer = await askWithoutBody(bulk, json(length, headers))
      expect([length, answer?.status, answer?.headers.connection]).toEqual([length, 401, 'close'])
    }
  })

  test('no dashboard session: 401; another site: 403', async () => {
    expect((await askWithoutBody('/dashboard/api/businesses', json(megabyte, ownHeader)))?.status).toBe(401)
    expect((await askWithoutBody('/dashboard/api/businesses', json(megabyte)))?.status).toBe(403)
  })

  test('a network over its limit: 429 before any of the body is sent', async () => {
    const network = newNetwork()
    await useUp(network)
    const answer = await askWithoutBody(login, json(8000), network)
    expect([answer?.status, Number(answer?.headers['retry-after']) > 0]).toEqual([429, true])
  })

  test('a body that is too large: 413 before it is sent if it has a length, otherwise when it exceeds the limit', async () => {
    const key = { 'x-api-key': stack.apiKey }
    expect(errorOf(await askWithoutBody('/api/v1/pos/sessions', json(megabyte, key)))).toEqual([
      413,
      'Request body too large',
    ])
    // At most 8 kB without a credential.
    expect(errorOf(await askWithoutBody(login, json(8193)))).toEqual([413, 'Request body too large'])
    expect(errorOf(await askWithoutBody('/dashboard/api/sign-in', json(24_577, ownHeader)))).toEqual([
      413,
      'Request body too large',
    ])
    const raw = openRaw(port, newNetwork(), headOf('POST', '/api/v1/pos/sessions', json('chunked', key)))
    raw.socket.write(`${(150_000).toString(16)}\r\n${'x'.repeat(150_000)}\r\n`)
    expect(errorOf(await raw.answer())).toEqual([413, 'Request body too large'])
    await raw.closed
  })

  test('a client that sends the whole body at once still gets the answer', async () => {
    for (let i = 0; i < 5; i++) {
      const answer = await fetch(`http://127.0.0.1:${port}${bulk}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(8 * megabyte),
      }).catch((error) => error.cause)
      expect(answer.status).toBe(401)
    }
  })

  test('a small body is dropped, and the connection serves the next request', async () => {
    const raw = openRaw(port, newNetwork(), headOf('POST', bulk, json(10_000)))
    expect((await raw.answer())?.status).toBe(401)
    raw.socket.write('x'.repeat(10_000) + headOf('GET', '/api/v1/auth/me', { 'x-api-key': stack.apiKey }))
    expect((await raw.answer())?.status).toBe(200)
    raw.socket.destroy()
  })

  test('a client that sends Expect: 100-continue is refused at once, or gets 100', async () => {
    const expects = { expect: '100-continue' }
    expect((await askWithoutBody(bulk, json(4 * megabyte, expects)))?.status).toBe(401)
    const body = JSON.stringify({ chain: 'ethereum', token: 'USDC', amount: '5' })
    const head = headOf(
      'POST',
      '/api/v1/pos/sessions',
      json(body.length, { ...expects, 'x-api-key': stack.apiKey }),
    )
    const raw = openRaw(port, newNetwork(), head)
    expect((await raw.answer())?.status).toBe(100)
    raw.socket.write(body)
    expect((await raw.answer())?.status).toBe(201)
    raw.socket.destroy()
  })
})

describe('a compressed body', () => {
  const bomb = gzipSync(JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(4 * megabyte) }))
  const send = (path: string, headers: Record<string, string>) => {
    const raw = openRaw(port, newNetwork(), headOf('POST', path, json(bomb.length, headers)))
    raw.socket.write(bomb)
    return raw.answer().finally(() => raw.socket.destroy())
  }

  test('is refused for its Content-Encoding header, with any encoding; identity is allowed', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'nonsense', 'GZIP', 'gzip, identity']) {
      const before = await refused('content_encoding')
      const answer = await send(login, { 'content-encoding': encoding })
      expect([encoding, ...errorOf(answer)]).toEqual([encoding, 415, 'Unsupported media type'])
      expect(JSON.parse(answer?.body ?? '').message).toContain('Content-Encoding')
      expect(await refused('content_encoding')).toBe(before + 1)
    }
    const body = '{"email":"a@example.com","password":"x"}'
    const raw = openRaw(
      port,
      newNetwork(),
      headOf('POST', login, json(body.length, { 'content-encoding': 'identity' })) + body,
    )
    expect((await raw.answer())?.status).toBe(401)
    raw.socket.destroy()
  })

  test('fourteen at once, with and without a key, do not grow the memory', async () => {
    const memory = () => metric(stack.processes.get('api'), 'cowry_process_resident_memory_bytes')
    const before = await memory()
    const keyed = { 'content-encoding': 'gzip', 'x-api-key': stack.apiKey }
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, i) => send(bulk, i % 2 ? keyed : { 'content-encoding': 'gzip' })),
    )
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map((_, i) => (i % 2 ? 415 : 401)))
    expect((await memory()) - before).toBeLessThan(14 * 2 * megabyte)
  })
})

describe('slow requests are ended', () => {
  const parallel = createParallelTests()
  const slow: [name: string, first: string, piece: string, seconds: number][] = [
    ['no bytes', '', '', headersSeconds],
    [
      'headers, one byte at a time',
      'GET /api/v1/auth/me HTTP/1.1\r\nhost: x\r\nx-slow: ',
      'x',
      headersSeconds,
    ],
    ['a body, one byte at a time', headOf('POST', login, json(5000)), 'x', requestSeconds],
    [
      'a chunked body, one byte at a time',
      headOf('POST', login, json('chunked')),
      '1\r\nx\r\n',
      requestSeconds,
    ],
  ]
  for (const [name, first, piece, seconds] of slow)
    parallel.test(name, name, async () => {
      const raw = openRaw(port, newNetwork(), first)
      const slowly = setInterval(() => piece && raw.socket.write(piece), 100)
      const ms = await Promise.race([raw.closed, delay(30_000, Number.POSITIVE_INFINITY)]).finally(() =>
        clearInterval(slowly),
      )
      raw.socket.destroy()
      // Node checks timeouts once a second.
      expect(ms).toBeGreaterThan(seconds * 1000 - 100)
      expect(ms).toBeLessThan((seconds + 8) * 1000)
      await waitFor(
        'released body bytes',
        async () => (await metric(stack.processes.get('api'), 'cowry_http_body_bytes')) === 0,
      )
    })
})

describe('memory of request bodies', () => {
  const key = () => ({ 'x-api-key': stack.apiKey })
  const hold = (path: string, headers: Record<string, string | number>, network = newNetwork()) =>
    openRaw(port, network, headOf('POST', path, headers))
  const held = (bytes: number) =>
    waitFor(
      `${bytes} bytes held`,
      async () => (await metric(stack.processes.get('api'), 'cowry_http_body_bytes')) === bytes,
    )

  const session = '/api/v1/pos/sessions'
  const letters = (count: number) => `${count.toString(16)}\r\n${'x'.repeat(count)}\r\n`
  /** Starts a body and sends this many bytes of it. */
  const begin = (
    path: string,
    bytes: number,
    headers: Record<string, string> = {},
    network = newNetwork(),
  ) => {
    const raw = hold(path, json('chunked', headers), network)
    raw.socket.write(letters(bytes))
    return raw
  }
  const disconnect = async (all: RawConnection[]) => {
    for (const { socket } of all) socket.destroy()
    await held(0)
  }
  const newKey = async () => {
    const businessId = await addBusiness(stack, await addPerson(stack))
    return {
      'x-api-key': (
        await createApiKey(stack, { name: 'other', scope: 'write', environment: 'test', businessId })
      ).reveal(),
    }
  }
  const statusOfSignIn = async () => {
    const body = '{"email":"b@example.com","password":"x"}'
    const raw = hold(login, json(body.length))
    raw.socket.write(body)
    return (await raw.answer().finally(() => raw.socket.destroy()))?.status
  }

  test('is counted as bytes arrive: announced but missing bytes block no other request', async () => {
    const slow = [
      ...Array.from({ length: 12 }, (_, i) => begin(login, 1, {}, `127.1.1.${i % 3}`)),
      ...Array.from({ length: 6 }, (_, i) => begin(session, 1, key(), `127.1.1.${i % 3}`)),
      hold(login, json(8000)),
    ]
    await held(18 * 1024)
    expect(await statusOfSignIn()).toBe(401)
    expect((await stack.createSession()).status).toBe('pending')
    expect(await refused('bodies')).toBe(0)
    await disconnect(slow)
  })

  test('is released when a client disconnects, at any time', async () => {
    for (let i = 0; i < 30; i++) {
      const raw = begin(session, 5000, key())
      if (i % 2) await delay(i / 10)
      raw.socket.destroy()
    }
    await held(0)
    expect((await stack.createSession()).status).toBe('pending')
  })

  test('is limited to half for requests without a credential; the network with the most gives way, and requests with a key are served', async () => {
    const of = (count: number, network = newNetwork()) =>
      Array.from({ length: count }, () => begin(login, 8192, {}, network))
    const [first, max, late] = [of(11), of(12), of(2)]
    await held(25 * 8192)
    const another = of(1)
    const gaveWay = await Promise.race(max.map((each) => each.answer()))
    expect([...errorOf(gaveWay), gaveWay?.headers['retry-after'], gaveWay?.headers.connection]).toEqual([
      503,
      'overloaded',
      '1',
      'close',
    ])
    await held(25 * 8192)
    expect(await refused('bodies')).toBe(1)
    expect(await statusOfSignIn()).toBe(401)
    expect((await stack.createSession()).status).toBe('pending')
    await disconnect([...first, ...max, ...late, ...another])
  })

  test('is limited to a quarter for one business; above it is 429, and another business is served', async () => {
    const slow = begin(session, 60_000, key())
    await held(60_000)
    const over = begin(session, 60_000, key())
    const answer = await over.answer()
    expect([answer?.status, answer?.headers['retry-after']]).toEqual([429, '1'])
    expect(
      (
        await stack.api(
          'POST',
          '/pos/sessions',
          { chain: 'ethereum', token: 'USDC', amount: '3' },
          await newKey(),
        )
      ).status,
    ).toBe(201)
    await disconnect([slow, over])
    expect((await stack.createSession()).status).toBe('pending')
  })

  test('of a bulk call needs one of its places: one too many gets 429 before its body is sent, and other businesses have their own places', async () => {
    const [mine, other] = [await newKey(), await newKey()]
    const slow = [begin(bulk, 1, mine), begin(bulk, 1, mine)]
    await held(2 * 1024)
    expect(errorOf(await askWithoutBody(bulk, json(4 * megabyte, mine)))).toEqual([
      429,
      'too_many_bulk_calls',
    ])
    const added = {
      chain: 'ethereum',
      addresses: [{ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }],
    }
    expect((await stack.api('POST', '/monitoring/addresses/bulk', added, other)).status).toBe(200)
    await disconnect(slow)
    await waitFor(
      'its places',
      async () => (await stack.api('POST', '/monitoring/addresses/bulk', added, mine)).status === 200,
    )
    // A refused call releases its place before it is answered.
    for (let i = 0; i < 5; i++)
      expect((await stack.api('POST', '/monitoring/addresses/bulk', {}, mine)).status).toBe(400)
  })
})

describe('connections', () => {
  const open = (count: number, network: string) => Array.from({ length: count }, () => openRaw(port, network))
  const status = async (network: string) => {
    const raw = openRaw(port, network, headOf('GET', '/health/live'))
    const answer = await raw.answer()
    raw.socket.destroy()
    return answer?.status ?? null
  }
  const counted = () => metric(stack.processes.get('api'), 'cowry_http_connections')
  const closeAll = async (all: RawConnection[]) => {
    for (const { socket } of all) socket.destroy()
    await waitFor('connections closed', async () => (await counted()) <= 5)
  }

  const ask = async (network: string) => {
    const raw = openRaw(port, network, headOf('GET', '/health/live'))
    return raw.answer().finally(() => raw.socket.destroy())
  }
  /** Opens connections from so many networks, a few each, and waits until they are accepted. */
  const fill = async (networks: number, each: number, at = 0) => {
    const all = Array.from({ length: networks }, (_, i) => open(each, `127.2.${at}.${i + 1}`)).flat()
    await waitFor('connections', async () => (await counted()) >= Math.min(connections - 20, networks * each))
    return all
  }

  test('have a limit per network; above it is 429, another network is served, and a proxy has no such limit', async () => {
    const [network, proxy] = [newNetwork(), '127.9.0.1']
    const all = open(perNetwork, network)
    await waitFor('connections', async () => (await counted()) >= perNetwork)
    const over = await ask(network)
    expect([...errorOf(over), over?.headers['retry-after'], over?.headers.connection]).toEqual([
      429,
      'Too many requests, please try again later.',
      '1',
      'close',
    ])
    expect(await status(newNetwork())).toBe(200)
    // The suite's own connections count as well.
    expect(await refused('connections_of_network')).toBeGreaterThan(0)
    await closeAll(all)
    const proxied = open(perNetwork + 5, proxy)
    await waitFor('connections', async () => (await counted()) >= perNetwork + 5)
    expect(await status(proxy)).toBe(200)
    await closeAll(proxied)
    expect(await status(network)).toBe(200)
  })

  test.each<[string, string, number]>([
    ['that send no bytes', '', 0],
    ['that are idle after one request', headOf('GET', '/health/live'), 0],
    ['whose bodies never arrive', `${headOf('POST', login, json(5000))}x`, 50 * 1024],
  ])('%s: ten networks leave room for a new one', async (_name, first, bytes) => {
    const all = await fill(10, perAddress, ++networks)
    for (const { socket } of all) socket.write(first)
    const held = () => metric(stack.processes.get('api'), 'cowry_http_body_bytes')
    await waitFor('requests in progress', async () => (await held()) >= bytes)
    for (let i = 0; i < 5; i++) expect(await status(newNetwork())).toBe(200)
    await closeAll(all)
  })

  test('from everywhere that fill the process give way to new ones, the longest idle first, except with a request in progress', async () => {
    const body = '{"email":"b@example.com","password":"x"}'
    const underWay = openRaw(port, newNetwork(), headOf('POST', login, json(body.length)) + body.slice(0, 5))
    const partly = openRaw(port, newNetwork(), 'GET /health/live HTTP/1.1\r\n')
    await once(partly.socket, 'connect')
    const kept = openRaw(port, newNetwork())
    // After two answers the process has read what was sent before: a connection of which it has read nothing
    // is closed without an answer.
    for (let i = 0; i < 2; i++) {
      kept.socket.write(headOf('GET', '/health/live'))
      expect((await kept.answer())?.status).toBe(200)
    }
    const before = await refused('connections')
    const all = await fill(2 * connections, 1, ++networks)
    for (let i = 0; i < 5; i++) expect(await status(newNetwork())).toBe(200)
    expect(await refused('connections')).toBeGreaterThan(before)
    expect(errorOf(await partly.answer())).toEqual([503, 'overloaded'])
    expect(await kept.answer()).toBeNull()
    underWay.socket.write(body.slice(5))
    expect((await underWay.answer())?.status).toBe(401)
    expect(await counted()).toBeLessThanOrEqual(connections)
    await closeAll([...all, underWay])
  })
})

test('the OpenAPI document is identical for every caller, and limited by network', async () => {
  const network = newNetwork()
  const ask = () => {
    const raw = openRaw(port, network, headOf('GET', '/openapi.json'))
    return raw.answer().finally(() => raw.socket.destroy())
  }
  const answers: (RawAnswer | null)[] = []
  for (let i = 0; i < perAddress + 3; i++) answers.push(await ask())
  expect(answers.map((answer) => answer?.status)).toEqual([...Array(perAddress).fill(200), 429, 429, 429])
  expect(new Set(answers.slice(0, perAddress).map((answer) => answer?.body)).size).toBe(1)
})

describe('invented credentials over the limit of their network', () => {
  const ask = async (network: string, headers: Record<string, string>, path = '/api/v1/auth/me') => {
    const raw = openRaw(port, network, headOf('GET', path, headers))
    return (await raw.answer().finally(() => raw.socket.destroy()))?.status
  }
  const newKey = async () => ({
    'x-api-key': (
      await createApiKey(stack, {
        name: 'k',
        scope: 'read',
        environment: 'test',
        businessId: stack.businessId,
      })
    ).reveal(),
  })
  const invented = {
    key: () => ({ 'x-api-key': generateApiKey('test').reveal() }),
    token: () => {
      const [head, claims, signature] = [
        { alg: 'ES256', kid: newId(), typ: 'at+jwt' },
        { sub: newId(), jti: newId() },
        'x',
      ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      return { authorization: `Bearer ${head}.${claims}.${signature}` }
    },
  }
  /** Refusals of a network, as counted for all processes. */
  const countedInRedis = async (network: string) => {
    const redis = new Redis(stack.redis.url)
    const keys = await redis.keys(`*:limit:refused:60:${network}`)
    const counts = await Promise.all(keys.map((key) => redis.get(key)))
    redis.disconnect()
    return counts.reduce((sum, count) => sum + Number(count), 0)
  }

  test('keys: not read from the database, while a valid key still works from there', async () => {
    // Count every lookup of a key.
    const [found] = await stack.db.query<{ result: string }>(
      "select pg_get_function_result('api_key_in_use(bytea)'::regprocedure) as result",
    )
    await stack.db.query('alter function api_key_in_use(bytea) rename to api_key_in_use_uncounted')
    await stack.db.query('create sequence looked_up')
    await stack.db.query(`create function api_key_in_use(of_hash bytea) returns ${found?.result} language plpgsql security definer as $$
      begin perform nextval('looked_up'); return query select * from api_key_in_use_uncounted(of_hash); end $$`)
    await stack.db.query('grant execute on function api_key_in_use(bytea) to public')
    const lookedUp = async () =>
      Number((await stack.db.query<{ n: string }>("select nextval('looked_up') - 1 as n"))[0]?.n)
    const network = newNetwork()
    const old = await newKey()
    for (let i = 0; i < perAddress; i++) expect(await ask(network, invented.key())).toBe(401)
    expect(await ask(network, invented.key())).toBe(429)
    const before = await lookedUp()
    const ofMany = () => Promise.all(Array.from({ length: 25 }, () => ask(network, invented.key())))
    for (let i = 0; i < 4; i++) expect(new Set(await ofMany())).toEqual(new Set([429]))
    expect((await lookedUp()) - before).toBe(1)
    expect(await refused('invented_credential')).toBeGreaterThanOrEqual(100)
    expect(await ask(network, old)).toBe(200)
    const fresh = await newKey()
    await waitFor('a new key', async () => (await ask(network, fresh)) === 200, 10_000)
    expect(await ask(newNetwork(), invented.key())).toBe(401)
  })

  test.each<[string, () => Record<string, string>, number]>([
    ['a text that is not a key', () => ({ 'x-api-key': 'nonsense' }), 401],
    ['a key of another environment', () => ({ 'x-api-key': generateApiKey('live').reveal() }), 403],
    ['a text that is not an access token', () => ({ authorization: 'Bearer nonsense' }), 401],
    ['an access token with a foreign signature', invented.token, 401],
  ])('%s: refused without being counted in Redis', async (_name, headers, status) => {
    const network = newNetwork()
    for (let i = 0; i < perAddress; i++) expect(await ask(network, headers())).toBe(status)
    expect(await ask(network, headers())).toBe(429)
    const counted = await countedInRedis(network)
    const before = await refused('refused_credential')
    expect(new Set(await Promise.all(Array.from({ length: 10 }, () => ask(network, headers()))))).toEqual(
      new Set([429]),
    )
    expect([counted, await countedInRedis(network)]).toEqual([perAddress + 1, perAddress + 1])
    expect(await refused('refused_credential')).toBe(before + 10)
    expect(await ask(network, { 'x-api-key': stack.apiKey })).toBe(200)
  })

  test('wait half a second for their answer, and a key that holds does not, from the same network', async () => {
    const network = newNetwork()
    const timed = async (headers: Record<string, string>) => {
      const began = performance.now()
      return { status: await ask(network, headers), ms: performance.now() - began }
    }
    for (let i = 0; i <= perAddress; i++) await ask(network, invented.key())
    const [refusedOne, served] = await Promise.all([
      timed(invented.key()),
      timed({ 'x-api-key': stack.apiKey }),
    ])
    expect([refusedOne.status, served.status]).toEqual([429, 200])
    expect(refusedOne.ms).toBeGreaterThan(490)
    expect(served.ms).toBeLessThan(refusedOne.ms)
  })

  test('dashboard sessions: the same', async () => {
    const network = newNetwork()
    const path = '/dashboard/api/me'
    const invent = (i: number) => ({
      ...ownHeader,
      cookie: `${sessionCookie}=${String(i).padStart(43, 'a')}`,
    })
    for (let i = 0; i < perAddress; i++) expect(await ask(network, invent(i), path)).toBe(401)
    expect(await ask(network, invent(99), path)).toBe(429)
    const before = await refused('invented_credential')
    expect(await ask(network, invent(100), path)).toBe(429)
    expect(await refused('invented_credential')).toBe(before + 1)
    const { headers } = await sessionOf(stack, await addPerson(stack))
    await waitFor('a new session', async () => (await ask(network, headers, path)) === 200, 10_000)
  })
})

test('the internal port ends slow requests, and answers others', async () => {
  const ms = await Promise.all(internal.map(({ closed }) => closed))
  for (const each of ms) expect(each).toBeLessThan(9000)
  expect(await metric(stack.processes.get('api'), 'cowry_http_connections')).toBeGreaterThanOrEqual(0)
})
