import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { type LocalRedis, startRedis } from '../../scripts/local/redis.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { metric } from '../faults/metric.ts'
import { addBusiness, addPerson } from '../support/dashboardSession.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

const perBusiness = 40
const perAddress = 20
/** `api` is behind a trusted proxy, `api-2` is not; both share one Redis. */
type Process = 'api' | 'api-2'

let stack: Stack
let home: string
let redis: LocalRedis | undefined

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cowry-rate-limits-'))
  const env = {
    RATE_LIMIT_BUSINESS: String(perBusiness),
    RATE_LIMIT_ADDRESS: String(perAddress),
    TRUSTED_PROXIES: '127.0.0.1/32',
  }
  stack = await createStack({ processes: ['api'], env })
  await stack.start('api', { TRUSTED_PROXIES: '' }, { as: 'api-2' })
})
afterAll(async () => {
  await stack?.close()
  await redis?.stop()
  rmSync(home, { recursive: true, force: true })
})

interface Answer {
  status: number
  body: Record<string, unknown>
  headers: IncomingHttpHeaders
}

/** An array sends a header several times. */
type Headers = Record<string, string | string[]>

function ask(
  headers: Headers,
  {
    process = 'api',
    method = 'GET',
    path = '/auth/me',
    body,
  }: { process?: Process; method?: string; path?: string; body?: object } = {},
): Promise<Answer> {
  const text = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: stack.processes.get(process)?.port(),
        method,
        path: `/api/v1${path}`,
        headers: { ...headers, ...(text ? { 'content-type': 'application/json' } : {}) },
      },
      (answer) => {
        let received = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          received += part
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(received), headers: answer.headers }),
        )
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

/** The headers of a new key, of a new business unless one is named. */
async function newKey(
  more: { businessId?: string; requestsPerMinute?: number; allowedAddresses?: string[] } = {},
): Promise<{ 'x-api-key': string }> {
  const businessId = more.businessId ?? (await addBusiness(stack, await addPerson(stack)))
  return {
    'x-api-key': (
      await createApiKey(stack, { name: 'limited', scope: 'read', environment: 'test', ...more, businessId })
    ).reveal(),
  }
}

let addresses = 0
const newAddress = () => `10.2.${(++addresses >> 8) & 255}.${addresses & 255}`
const from = (address: string) => ({ 'x-forwarded-for': address })

/** The number of `times` sequential requests that were let through. */
async function letThrough(headers: Headers, times: number, process: Process = 'api'): Promise<number> {
  let through = 0
  for (let i = 0; i < times; i++) if ((await ask(headers, { process })).status === 200) through++
  return through
}

/** Parses `RateLimit`. */
function rateLimitOf({ headers }: Answer): { name: string; remaining: number; reset: number } {
  const [, name = '', remaining, reset] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(String(headers.ratelimit)) ?? []
  return { name, remaining: Number(remaining), reset: Number(reset) }
}

describe('limits', () => {
  test('of a key: headers count down, then every request is refused until the window ends', async () => {
    const key = await newKey({ requestsPerMinute: 5 })
    const answers: Answer[] = []
    for (let i = 0; i < 7; i++) answers.push(await ask(key))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(answers.map((answer) => rateLimitOf(answer).remaining)).toEqual([4, 3, 2, 1, 0, 0, 0])
    const resets = answers.map((answer) => rateLimitOf(answer).reset)
    expect(resets).toEqual(resets.toSorted((a, b) => b - a))
    for (const answer of answers) {
      const { name, reset } = rateLimitOf(answer)
      expect(name).toBe('key')
      expect(reset > 30 && reset <= 60).toBe(true)
      expect(answer.headers['ratelimit-policy']).toBe(`"key";q=5;w=60, "business";q=${perBusiness};w=60`)
      if (answer.status === 429) {
        expect(Number(answer.headers['retry-after'])).toBe(reset)
        expect(answer.body).toEqual({
          error: 'Too many requests, please try again later.',
          requestId: expect.any(String),
        })
      } else expect(answer.headers['retry-after']).toBeUndefined()
    }
  })

  test('of a business: its keys share one on all processes, and another business has its own', async () => {
    const businessId = await addBusiness(stack, await addPerson(stack))
    const keys = [
      await newKey({ businessId }),
      await newKey({ businessId, requestsPerMinute: 1000 }),
    ] as const
    const answers: Answer[] = []
    for (let i = 0; i < perBusiness + 10; i++)
      answers.push(await ask(keys[i % 2 ? 0 : 1], { process: i % 3 ? 'api' : 'api-2' }))
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(perBusiness).fill(200),
      ...Array(10).fill(429),
    ])
    for (const answer of answers) expect(rateLimitOf(answer).name).toBe('business')
    expect((await ask(await newKey())).status).toBe(200)
  })

  test('of an address: requests without credentials share one, an IPv6 network is one, and other addresses are unaffected', async () => {
    const banks = (address: string) =>
      ask(from(address), { path: '/pos/sessions/banks?currency=NGN&countryCode=NG' })
    const login = (address: string) =>
      ask(from(address), {
        method: 'POST',
        path: '/auth/login',
        body: { email: `${address.replaceAll(':', '-')}@example.com`, password: 'x' },
      })
    const exhaust = async (one: (i: number) => string) => {
      const answers: Answer[] = []
      for (let i = 0; i < perAddress + 5; i++) answers.push(await (i % 4 ? banks : login)(one(i)))
      const refused = answers.slice(perAddress)
      for (const { status } of answers.slice(0, perAddress)) expect([200, 401]).toContain(status)
      for (const answer of refused)
        expect([answer.status, rateLimitOf(answer).name]).toEqual([429, 'address'])
      expect(answers.map((answer) => rateLimitOf(answer).remaining)).toEqual(
        answers.map((_, i) => Math.max(0, perAddress - 1 - i)),
      )
    }
    // At the same time: wrong passwords are answered late.
    await Promise.all([exhaust(() => '192.0.2.77'), exhaust((i) => `2001:db8:1:1::${i.toString(16)}`)])
    for (const other of ['192.0.2.78', '2001:db8:1:2::1']) expect((await banks(other)).status).toBe(200)
    // A key counts for its business, from any address.
    expect((await ask({ ...(await newKey()), ...from('192.0.2.77') })).status).toBe(200)
  })

  test('of guesses at keys: an address that tries keys is refused, and a valid key still works there', async () => {
    const address = newAddress()
    const guesses: Answer[] = []
    for (let i = 0; i < perAddress + 5; i++)
      guesses.push(await ask({ 'x-api-key': `ak_test_${i}`, ...from(address) }))
    expect(guesses.map(({ status }) => status)).toEqual([
      ...Array(perAddress).fill(401),
      ...Array(5).fill(429),
    ])
    expect((await ask({ ...(await newKey()), ...from(address) })).status).toBe(200)
  })

  test('of a key are not used up by requests from addresses that it does not allow', async () => {
    const key = await newKey({ requestsPerMinute: 3, allowedAddresses: ['192.0.2.0/24'] })
    const thief = newAddress()
    for (let i = 0; i < 5; i++) expect((await ask({ ...key, ...from(thief) })).status).toBe(403)
    expect(await letThrough({ ...key, ...from('192.0.2.5') }, 5)).toBe(3)
  })
})

describe('the address of a request', () => {
  let key: { 'x-api-key': string }
  beforeAll(async () => {
    key = await newKey({ allowedAddresses: ['192.0.2.1/32'] })
  })

  /** The address that the API sees, from its answer to a key that may not be used there. */
  const seen = async (headers: Headers, process: Process = 'api'): Promise<string> => {
    const { status, body } = await ask({ ...key, ...headers }, { process })
    return status === 200
      ? 'allowed'
      : (/used from (\S+)$/.exec(String(body.message))?.[1] ?? `${status} ${body.error}`)
  }

  test('is the part that the trusted proxy wrote, and nothing before it', async () => {
    for (const [forwarded, address] of [
      ['203.0.113.1', '203.0.113.1'],
      // The caller wrote the left part, which would be allowed.
      ['192.0.2.1, 203.0.113.2', '203.0.113.2'],
      ['192.0.2.1,203.0.113.3', '203.0.113.3'],
      ['192.0.2.1, 127.0.0.1, 203.0.113.4', '203.0.113.4'],
      // A second trusted hop.
      ['203.0.113.5, 127.0.0.1', '203.0.113.5'],
      // Several headers are one list.
      [['192.0.2.1', '203.0.113.6'], '203.0.113.6'],
      [['192.0.2.1, 192.0.2.1', '192.0.2.1, 203.0.113.7'], '203.0.113.7'],
      // One address has one form.
      ['::ffff:203.0.113.8', '203.0.113.8'],
      ['2001:DB8:0:0:0:0:0:9', '2001:db8::9'],
      // An invalid address counts as the proxy's own, never as the part to its left.
      ['192.0.2.1, garbage', '127.0.0.1'],
      ['192.0.2.1, 203.0.113.10:4711', '127.0.0.1'],
      ['192.0.2.1, [2001:db8::1]:80', '127.0.0.1'],
      ['192.0.2.1, 203.0.113.999', '127.0.0.1'],
      ['192.0.2.1, 0x7f.1', '127.0.0.1'],
      ['192.0.2.1, unknown', '127.0.0.1'],
      ['', '127.0.0.1'],
    ] as const)
      expect({ forwarded, seen: await seen({ 'x-forwarded-for': forwarded as string | string[] }) }).toEqual({
        forwarded,
        seen: address,
      })
  })

  test('is allowed or refused by that part alone, for any prefix that a caller writes', async () => {
    const part = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('192.0.2.1', '127.0.0.1', 'unknown', '192.0.2.1:80', '::ffff:192.0.2.1', '"', ';=', ''),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const address = newAddress()
        expect(await seen({ 'x-forwarded-for': [...parts, address].join(', ') })).toBe(address)
        expect(await seen({ 'x-forwarded-for': [...parts, '192.0.2.1'].join(', ') })).toBe('allowed')
      }),
      // Allowed requests count for the key's business.
      { numRuns: 15 },
    )
  })

  test('is that of the connection without a trusted proxy', async () => {
    for (const headers of [
      {},
      { 'x-forwarded-for': '192.0.2.1' },
      { 'x-forwarded-for': ['192.0.2.1', '192.0.2.1, 127.0.0.1'] },
      { forwarded: 'for=192.0.2.1' },
      { 'x-real-ip': '192.0.2.1' },
      { 'cf-connecting-ip': '192.0.2.1', 'true-client-ip': '192.0.2.1', 'x-client-ip': '192.0.2.1' },
    ] as Headers[])
      expect({ headers, seen: await seen(headers, 'api-2') }).toEqual({ headers, seen: '127.0.0.1' })
  })

  test('is taken from no other header, with or without a trusted proxy', async () => {
    const address = newAddress()
    const others = {
      forwarded: 'for=192.0.2.1',
      'x-real-ip': '192.0.2.1',
      'x-client-ip': '192.0.2.1',
      'x-forwarded': '192.0.2.1',
    }
    expect(await seen({ ...others, ...from(address) })).toBe(address)
  })
})

describe('when Redis', () => {
  const isLocal = (process: Process) => metric(stack.processes.get(process), 'cowry_rate_limits_local')

  /** While Redis is down: requests are answered, and each process applies limits by itself. */
  async function limitsHoldLocally(): Promise<void> {
    const key = await newKey({ requestsPerMinute: 6 })
    for (const process of ['api', 'api-2'] as const) {
      expect(await letThrough(key, 9, process)).toBe(6)
      await waitFor(
        `${process} to report it`,
        async () => (await letThrough(key, 1, process)) === 0 && (await isLocal(process)) === 1,
      )
    }
    const guesses: number[] = []
    const address = newAddress()
    for (let i = 0; i < perAddress + 2; i++)
      guesses.push((await ask({ 'x-api-key': 'ak_test_x', ...from(address) })).status)
    expect(guesses).toEqual([...Array(perAddress).fill(401), 429, 429])
  }

  const sharedAgain = () =>
    waitFor('shared limits', async () => {
      const key = await newKey({ requestsPerMinute: 6 })
      const through = [await letThrough(key, 4, 'api'), await letThrough(key, 6, 'api-2')]
      return through.join() === '4,2' && (await isLocal('api')) + (await isLocal('api-2')) === 0
    })

  test('is up, two processes share the limit of a key', async () => {
    const key = await newKey({ requestsPerMinute: 10 })
    expect([await letThrough(key, 7, 'api'), await letThrough(key, 7, 'api-2')]).toEqual([7, 3])
    expect([await isLocal('api'), await isLocal('api-2')]).toEqual([0, 0])
  })

  test('is emptied, counts restart and nothing more changes', async () => {
    const key = await newKey({ requestsPerMinute: 4 })
    expect(await letThrough(key, 6)).toBe(4)
    const client = new Redis(stack.redis.url)
    await client.flushall()
    await client.script('FLUSH')
    client.disconnect()
    expect(await letThrough(key, 6)).toBe(4)
    expect([
      await isLocal('api'),
      (await ask({ 'x-api-key': 'ak_test_x', ...from(newAddress()) })).status,
    ]).toEqual([0, 401])
  })

  test('hangs, limits hold in each process, and are shared again when it continues', async () => {
    process.kill(stack.redis.pid, 'SIGSTOP')
    try {
      await limitsHoldLocally()
    } finally {
      process.kill(stack.redis.pid, 'SIGCONT')
    }
    await sharedAgain()
  })

  test('is down, limits hold in each process, and are shared again when it is back', async () => {
    await stack.redis.stop()
    await limitsHoldLocally()
    redis = await startRedis({
      home: stack.redis.home,
      port: Number(new URL(stack.redis.url).port),
      durable: false,
    })
    expect(redis.url).toBe(stack.redis.url)
    await sharedAgain()
  })
})
