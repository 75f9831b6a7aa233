import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { verifyWebhook } from '../../client/webhooks/verify.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { deliveryContext, happen, newBusiness, webhookContext } from '../../test/support/deliveries.ts'
import { type ReceivedRequest, startServer, type TestServer } from '../../test/support/httpServer.ts'
import { ApiError } from '../platform/errors.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { changeEndpoint } from './changeEndpoint.ts'
import { createEndpoint, type NewEndpoint } from './createEndpoint.ts'
import { deliverDue } from './deliverDue.ts'
import { getEndpoint, listEndpoints } from './listEndpoints.ts'
import { rotateSecret } from './rotateSecret.ts'

const never = new AbortController().signal
const ownSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`

let database: TestDatabase
let server: TestServer
let businessId: string
let lines: string[]
let contexts: { close(): Promise<void> }[] = []

beforeAll(async () => {
  database = await createTestDatabase(20)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  server = await startServer()
  businessId = await newBusiness(database.db)
  lines = []
})
afterEach(async () => {
  await server.close()
  await Promise.all(contexts.map((each) => each.close()))
  contexts = []
})

const ctx = () => webhookContext(database.db)
const worker = () => {
  const made = deliveryContext(database.db, {
    log: createLog('test', 'trace', { write: (line) => void lines.push(line) }),
  })
  contexts.push(made)
  return made
}
const create = async (options: Partial<NewEndpoint> = {}) =>
  createEndpoint(ctx(), businessId, { url: `${server.url}/hooks`, ...options })
const deliver = async (id: string): Promise<ReceivedRequest> => {
  await happen(database.db, businessId)
  await deliverDue(worker(), id, never)
  const last = server.heard.at(-1)
  if (!last) throw new Error('nothing was sent')
  return last
}
const fieldsOf = async (refused: Promise<unknown>): Promise<string[]> => {
  const error = await refused.then(
    () => null,
    (cause) => cause,
  )
  if (!(error instanceof ApiError)) throw new Error('it was not refused')
  expect(error.status).toBe(400)
  return (error.fields ?? []).map(({ field }) => field)
}

describe('a secret of its own', () => {
  test.each([24, 32, 64])(
    'with %i bytes signs what both public libraries verify, and is given at a rotation too',
    async (bytes) => {
      const [first, second] = [ownSecret(bytes), ownSecret(bytes)]
      const { endpoint, secret } = await create({ secret: first })
      expect(secret?.reveal()).toBe(first)
      const sent = await deliver(endpoint.id)
      expect(new Webhook(first).verify(sent.body, sent.headers as Record<string, string>)).toMatchObject({
        type: 'transaction.detected',
      })
      const rotated = await rotateSecret(ctx(), businessId, endpoint.id, { secret: second })
      expect(rotated.secret?.reveal()).toBe(second)
      const later = await deliver(endpoint.id)
      for (const each of [first, second]) {
        expect(new Webhook(each).verify(later.body, later.headers as Record<string, string>)).toMatchObject({
          type: 'transaction.detected',
        })
        expect(
          new SvixWebhook(each).verify(later.body, later.headers as Record<string, string>),
        ).toMatchObject({ type: 'transaction.detected' })
      }
    },
  )

  const valid = ownSecret().slice('whsec_'.length)
  test.each([
    ['too short', ownSecret(23)],
    ['too long', ownSecret(65)],
    ['without its prefix', valid],
    ['of another kind', `whsk_${valid}`],
    ['in base64url', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`],
    ['with a space', `whsec_${valid.slice(0, 20)} ${valid.slice(20)}`],
    ['with a line break at its end', `whsec_${valid}\n`],
    ['without its padding', `whsec_${valid.replace(/=+$/, '')}`],
    ['with bits that base64 ignores', `whsec_${Buffer.alloc(32).toString('base64').slice(0, -2)}B=`],
    ['empty', ''],
  ])('%s is refused by name, without being repeated', async (_, secret) => {
    expect(await fieldsOf(create({ secret }))).toEqual(['secret'])
    const { endpoint } = await create()
    const refused = rotateSecret(ctx(), businessId, endpoint.id, { secret })
    expect(await fieldsOf(refused)).toEqual(['secret'])
    const error = await refused.catch((cause) => cause)
    if (secret !== '')
      expect(JSON.stringify([error, error.message, error.fields])).not.toContain(secret.trim())
  })

  test('is refused for ed25519, whose key Cowry makes, and if it is the present one', async () => {
    expect(await fieldsOf(create({ secret: ownSecret(), signature: 'ed25519' }))).toEqual(['secret'])
    const secret = ownSecret()
    const { endpoint } = await create({ secret })
    expect(await fieldsOf(rotateSecret(ctx(), businessId, endpoint.id, { secret }))).toEqual(['secret'])
    expect(
      await fieldsOf(
        rotateSecret(ctx(), businessId, endpoint.id, { secret: ownSecret(), signature: 'ed25519' }),
      ),
    ).toEqual(['secret'])
  })
})

describe('a rotation to the other kind of signature', () => {
  const headersOf = (request: ReceivedRequest) => request.headers as Record<string, string>

  test('from hmac to ed25519: both sign until the overlap ends, then ed25519 alone', async () => {
    const { endpoint, secret } = await create()
    const rotated = await rotateSecret(ctx(), businessId, endpoint.id, { signature: 'ed25519' })
    expect(rotated.secret).toBeNull()
    expect(rotated.endpoint).toMatchObject({
      signature: 'ed25519',
      publicKey: expect.stringMatching(/^whpk_/),
      previousPublicKey: null,
    })
    const sent = await deliver(endpoint.id)
    expect(sent.headers['webhook-signature']).toMatch(/^v1a,\S{88} v1,\S{44}$/)
    for (const library of [new Webhook(secret?.reveal() ?? ''), new SvixWebhook(secret?.reveal() ?? '')])
      expect(library.verify(sent.body, headersOf(sent))).toMatchObject({ type: 'transaction.detected' })
    for (const key of [secret?.reveal() ?? '', rotated.endpoint.publicKey ?? ''])
      expect(await verifyWebhook(key, sent.headers, sent.body)).toMatchObject({
        type: 'transaction.detected',
      })
    await database.db.query(
      "update webhook_endpoints set previous_until = now() - interval '1 s' where id = $1",
      [endpoint.id],
    )
    const later = await deliver(endpoint.id)
    expect(later.headers['webhook-signature']).toMatch(/^v1a,\S{88}$/)
    expect(await verifyWebhook(rotated.endpoint.publicKey ?? '', later.headers, later.body)).toMatchObject({
      type: 'transaction.detected',
    })
  })

  test('from ed25519 to hmac, with a secret of its own: the previous public key is shown while it signs', async () => {
    const { endpoint } = await create({ signature: 'ed25519' })
    const secret = ownSecret()
    const rotated = await rotateSecret(ctx(), businessId, endpoint.id, { signature: 'hmac', secret })
    expect(rotated.endpoint).toMatchObject({
      signature: 'hmac',
      publicKey: null,
      previousPublicKey: endpoint.publicKey,
    })
    const sent = await deliver(endpoint.id)
    for (const key of [secret, endpoint.publicKey ?? ''])
      expect(await verifyWebhook(key, sent.headers, sent.body)).toMatchObject({ version: 1 })
  })

  test('is not one if the kind is left out', async () => {
    const { endpoint } = await create({ signature: 'ed25519' })
    expect((await rotateSecret(ctx(), businessId, endpoint.id)).endpoint.signature).toBe('ed25519')
  })
})

describe('own headers', () => {
  const canary = 'canary-7f1e2d93b6'

  test('are sent with every attempt, and change no header that Cowry sets', async () => {
    const { endpoint } = await create({
      headers: { Authorization: `Bearer ${canary}`, 'X-Tenant': 'a b\tc' },
    })
    expect(endpoint.headerNames).toEqual(['authorization', 'x-tenant'])
    const plain = await deliver((await create()).endpoint.id)
    const sent = await deliver(endpoint.id)
    expect(sent.headers).toMatchObject({ authorization: `Bearer ${canary}`, 'x-tenant': 'a b\tc' })
    expect(
      Object.keys(sent.headers)
        .filter((name) => !['authorization', 'x-tenant'].includes(name))
        .sort(),
    ).toEqual(Object.keys(plain.headers).sort())
  })

  test('are changed one by one, also while a worker delivers; the others stay', async () => {
    const { endpoint } = await create({ headers: { a: '1', b: '2' } })
    await deliver(endpoint.id)
    expect(
      (await changeEndpoint(ctx(), businessId, endpoint.id, { headers: { A: '3', b: null, c: '4' } }))
        .headerNames,
    ).toEqual(['a', 'c'])
    expect((await deliver(endpoint.id)).headers).toMatchObject({ a: '3', c: '4' })
    expect(server.heard.at(-1)?.headers).not.toHaveProperty('b')
    await changeEndpoint(ctx(), businessId, endpoint.id, { description: 'x' })
    expect((await deliver(endpoint.id)).headers).toMatchObject({ a: '3', c: '4' })
    expect(
      (await changeEndpoint(ctx(), businessId, endpoint.id, { headers: { a: null, c: null } })).headerNames,
    ).toEqual([])
  })

  test.each([
    'webhook-id',
    'Webhook-Signature',
    'content-type',
    'Content-Length',
    'transfer-encoding',
    'host',
    'connection',
    'User-Agent',
    'proxy-authorization',
    'te',
    '',
    'a b',
    'a:b',
    'a\r\nb',
    'ä',
    'x'.repeat(101),
  ])('named %j are refused', async (name) => {
    const field = `headers.${name.slice(0, 100)}`
    expect(await fieldsOf(create({ headers: { [name]: '1' } }))).toEqual([field])
    const { endpoint } = await create()
    expect(
      await fieldsOf(changeEndpoint(ctx(), businessId, endpoint.id, { headers: { [name]: '1' } })),
    ).toEqual([field])
  })

  test.each(['a\r\nx-injected: 1', 'a\nb', 'a\rb', 'a\0b', '', ' a', 'a ', 'é', 'x'.repeat(1001)])(
    'with the value %j are refused',
    async (value) => {
      expect(await fieldsOf(create({ headers: { 'x-a': value } }))).toEqual(['headers.x-a'])
    },
  )

  test('are refused if there are too many, also by several changes, or one twice', async () => {
    const many = (count: number, from = 0) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${from + i}`, '1']))
    expect(await fieldsOf(create({ headers: many(21) }))).toEqual(['headers'])
    const { endpoint } = await create({ headers: many(20) })
    expect(await fieldsOf(changeEndpoint(ctx(), businessId, endpoint.id, { headers: many(1, 20) }))).toEqual([
      'headers',
    ])
    expect(
      await fieldsOf(
        create({
          headers: {
            a: 'x'.repeat(1000),
            b: 'x'.repeat(1000),
            c: 'x'.repeat(1000),
            d: 'x'.repeat(1000),
            e: 'x'.repeat(100),
          },
        }),
      ),
    ).toEqual(['headers'])
    expect(await fieldsOf(create({ headers: { 'X-A': '1', 'x-a': '2' } }))).toEqual(['headers.x-a'])
  })

  test('go to another origin only if they are given again', async () => {
    const { endpoint } = await create({ headers: { authorization: canary, 'x-b': '1' } })
    const other = await startServer()
    try {
      const moved = (headers?: Record<string, string | null>) =>
        changeEndpoint(ctx(), businessId, endpoint.id, {
          url: `${other.url}/hooks`,
          ...(headers && { headers }),
        })
      expect(await fieldsOf(moved())).toEqual(['headers.authorization', 'headers.x-b'])
      expect(await fieldsOf(moved({ 'x-b': null }))).toEqual(['headers.authorization'])
      await changeEndpoint(ctx(), businessId, endpoint.id, { url: `${server.url}/other-path` })
      expect((await moved({ Authorization: 'new', 'x-b': null })).headerNames).toEqual(['authorization'])
      await happen(database.db, businessId)
      await deliverDue(worker(), endpoint.id, never)
      expect(other.heard[0]?.headers).toMatchObject({ authorization: 'new' })
    } finally {
      await other.close()
    }
  })

  test('and own secrets are in no row in clear, no log line, no error and no answer', async () => {
    const secretText = `whsec_${Buffer.from(`${canary}${canary}`).toString('base64')}`
    const { endpoint } = await create({ headers: { authorization: canary }, secret: secretText })
    server.answer = (response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end('no')
    await deliver(endpoint.id)
    await changeEndpoint(ctx(), businessId, endpoint.id, { headers: { 'x-b': `${canary}\t2` } })
    await server.close()
    await happen(database.db, businessId)
    await deliverDue(worker(), endpoint.id, never)
    server = await startServer()
    const refused = await changeEndpoint(ctx(), businessId, endpoint.id, {
      headers: { 'x-c': `${canary}\r\n` },
    }).catch((error) => error)
    const shown = [
      lines,
      refused,
      refused.message,
      refused.stack,
      refused.fields,
      await listEndpoints(ctx(), businessId),
    ]
    const rows: unknown[] = []
    const tables = await database.db.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    for (const { name } of tables)
      rows.push(
        ...(await database.db.query(
          `select t::text as row, encode(t::text::bytea, 'escape') as bytes from "${name}" t`,
        )),
      )
    const text = JSON.stringify([shown, rows])
    expect(rows.length).toBeGreaterThan(20)
    for (const secret of [canary, secretText.slice(6), Buffer.from(canary).toString('hex')])
      expect(text).not.toContain(secret)
    expect((await getEndpoint(ctx(), businessId, endpoint.id)).headerNames).toEqual(['authorization', 'x-b'])
  })

  test('are bound to their endpoint: those of another row cannot be opened', async () => {
    const [one, two] = [await create({ headers: { a: canary } }), await create({ headers: { a: '2' } })]
    await database.db.query(
      'update webhook_endpoints set sealed_headers = (select sealed_headers from webhook_endpoints where id = $1) where id = $2',
      [one.endpoint.id, two.endpoint.id],
    )
    await expect(getEndpoint(ctx(), businessId, two.endpoint.id)).rejects.toThrow()
  })
})

describe('a limit of attempts per second', () => {
  /** The largest number of requests in any second. */
  const inAnySecond = (times: number[]) =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length))

  test('holds in every second, over several workers; another endpoint does not wait', async () => {
    const max = 10
    const { endpoint } = await create({ maxPerSecond: max })
    const other = (await create({ url: `${server.url}/other` })).endpoint
    const times: number[] = []
    const others: number[] = []
    server.answer = (response, { url }) => {
      const list = url === '/hooks' ? times : others
      list.push(performance.now())
      response.end()
    }
    await happen(database.db, businessId, 3 * max + 5)
    const began = performance.now()
    await Promise.all([
      ...[worker(), worker(), worker()].map((each) => deliverDue(each, endpoint.id, never)),
      deliverDue(worker(), other.id, never),
    ])
    expect(times).toHaveLength(3 * max + 5)
    expect(inAnySecond(times)).toBeLessThanOrEqual(max)
    // It drains at the limit: four bursts, a bit more than a second apart.
    const [limited, unlimited] = [times, others].map((list) => (list.at(-1) ?? 0) - began) as [number, number]
    expect(limited).toBeGreaterThan(3000)
    // As many without a limit show how long they take on this machine.
    expect(limited).toBeLessThan(5000 + 3 * unlimited)
    expect([others.length, unlimited < limited]).toEqual([3 * max + 5, true])
    expect(inAnySecond(others)).toBeGreaterThan(max)
  })

  test('counts retries', async () => {
    const { endpoint } = await create({ maxPerSecond: 3 })
    const times: number[] = []
    server.answer = (response) => {
      times.push(performance.now())
      response.writeHead(times.length < 6 ? 500 : 204).end()
    }
    await happen(database.db, businessId)
    await deliverDue(worker(), endpoint.id, never)
    expect(times).toHaveLength(6)
    expect(inAnySecond(times)).toBeLessThanOrEqual(3)
  })

  test('is changed and removed', async () => {
    const { endpoint } = await create({ maxPerSecond: 1 })
    expect((await changeEndpoint(ctx(), businessId, endpoint.id, { description: 'x' })).maxPerSecond).toBe(1)
    expect((await changeEndpoint(ctx(), businessId, endpoint.id, { maxPerSecond: 500 })).maxPerSecond).toBe(
      500,
    )
    expect(
      (await changeEndpoint(ctx(), businessId, endpoint.id, { maxPerSecond: null })).maxPerSecond,
    ).toBeNull()
    const began = performance.now()
    await happen(database.db, businessId, 20)
    await deliverDue(worker(), endpoint.id, never)
    // With one a second it would take 19 seconds.
    expect([server.heard.length, performance.now() - began < 15_000]).toEqual([20, true])
  })
})
