import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { newId } from '../../src/platform/ids.ts'
import { startServer, type TestServer } from '../support/httpServer.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

interface Endpoint {
  id: string
  url: string
  status: string
  pausedReason: string | null
  eventTypes: string[] | null
  publicKey: string | null
  health: { waiting: number; consecutiveFailures: number; lastError: string | null }
}
interface Delivery {
  id: string
  eventId: string
  endpointId: string | null
  type: string
  status: string
  attemptsCount: number
  deliveredAt: string | null
}
interface Details extends Delivery {
  nextAttemptAt: string | null
  event: { id: string; type: string; sequence: number; data: Record<string, unknown> }
  attempts: {
    number: number
    responseStatus: number | null
    responseBody: string | null
    error: string | null
  }[]
}
interface EventPage {
  events: { id: string; type: string; sequence: number }[]
  nextAfter: number
  hasMore: boolean
  latestSequence: number
}

let stack: Stack
let server: TestServer

beforeAll(async () => {
  stack = await createStack({
    processes: ['api', 'worker'],
    env: { WEBHOOK_RETRY_SECONDS: '0,1,1', WEBHOOK_PAUSE_AFTER_SECONDS: '3600' },
  })
})
afterAll(() => stack?.close())
beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  const { endpoints } = await get<{ endpoints: Endpoint[] }>('/webhook-endpoints')
  for (const { id, url } of endpoints)
    if (url !== stack.receiver.url) await stack.api('DELETE', `/webhook-endpoints/${id}`)
  await server.close()
})

const get = async <T>(path: string): Promise<T> => (await stack.api<T>('GET', path)).body
async function create(body: object = {}): Promise<{ endpoint: Endpoint; secret: string | null }> {
  const answer = await stack.api<{ endpoint: Endpoint; secret: string | null }>(
    'POST',
    '/webhook-endpoints',
    { url: `${server.url}/hooks`, ...body },
  )
  expect(answer.status).toBe(201)
  return answer.body
}
const ownSecret = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`

test('an endpoint takes a secret of its owner, when it is created and when the secret is rotated; an API key is refused there', async () => {
  const { endpoint } = await create({ secret: ownSecret(1) })
  const rotate = (secret: string) =>
    stack.api('POST', `/webhook-endpoints/${endpoint.id}/rotate-secret`, { secret })
  expect((await rotate(ownSecret(2))).status).toBe(200)
  expect(await rotate(stack.apiKey)).toMatchObject({ status: 400, body: { fields: [{ field: 'secret' }] } })
  await cancelOne()
  const { headers, body } = await waitFor('a delivery', async () => server.heard[0])
  expect(new Webhook(ownSecret(2)).verify(body, headers as Record<string, string>)).toMatchObject({
    type: expect.any(String),
  })
})

const endpointNow = (id: string) => get<Endpoint>(`/webhook-endpoints/${id}`)
const act = async (id: string, verb: string) =>
  (await stack.api<Delivery & Endpoint>('POST', `/webhook-endpoints/${id}/${verb}`)).body
const details = (id: string) => get<Details>(`/webhooks/${id}`)
const settled = (id: string, status = 'delivered') =>
  waitFor(`delivery ${status}`, async () => {
    const delivery = await details(id)
    return delivery.status === status ? delivery : null
  })
const receivedTypes = () => server.heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)
/** Causes an event: a session is created and cancelled. */
async function cancelOne(): Promise<string> {
  const { id } = await stack.createSession()
  expect((await stack.api('POST', `/pos/sessions/${id}/cancel`)).status).toBe(200)
  return id
}
const deliveriesTo = (endpointId: string, query = '') =>
  get<{ webhooks: Delivery[]; total: number }>(`/webhooks?type=*&endpointId=${endpointId}${query}`)

test('an endpoint is created, its secret shown once; a test event reaches it alone, signed, and its delivery is shown in full', async () => {
  const { endpoint, secret } = await create({ description: 'shop', eventTypes: ['session.*'] })
  expect(endpoint).toMatchObject({
    url: `${server.url}/hooks`,
    description: 'shop',
    eventTypes: ['session.*'],
    status: 'active',
    signature: 'hmac',
  })
  expect(JSON.stringify(await endpointNow(endpoint.id))).not.toContain(secret)
  server.answer = (response) => void response.writeHead(202).end('thanks')
  const sent = await act(endpoint.id, 'test')
  const delivery = await settled(sent.id)
  expect(delivery).toMatchObject({
    type: 'endpoint.test',
    endpointId: endpoint.id,
    attemptsCount: 1,
    nextAttemptAt: null,
    attempts: [{ number: 1, responseStatus: 202, responseBody: 'thanks', error: null }],
    event: { id: sent.eventId, type: 'endpoint.test', data: { endpointId: endpoint.id } },
  })
  const [request] = server.heard
  expect(server.heard).toHaveLength(1)
  expect(request?.headers['webhook-id']).toBe(sent.eventId)
  expect(
    new Webhook(secret ?? '').verify(request?.body ?? '', request?.headers as Record<string, string>),
  ).toMatchObject({
    type: 'endpoint.test',
    sequence: delivery.event.sequence,
  })
  expect(stack.receiver.received.filter(({ id }) => id === sent.eventId)).toEqual([])
})

test('each endpoint gets its event types, also after they change', async () => {
  const [sessions, late] = [
    await create({ eventTypes: ['session.*'] }),
    await create({ eventTypes: ['session.late'], url: `${server.url}/late` }),
  ]
  await cancelOne()
  await waitFor('the events', async () => (server.heard.length > 1 ? true : null))
  expect(server.heard.map(({ url }) => url)).toEqual(['/hooks', '/hooks'])
  expect(receivedTypes().sort()).toEqual(['session.cancelled', 'session.created'])
  const change = { eventTypes: null, description: 'all of it' }
  expect((await stack.api('PATCH', `/webhook-endpoints/${late.endpoint.id}`, change)).body).toMatchObject(
    change,
  )
  await stack.api('PATCH', `/webhook-endpoints/${sessions.endpoint.id}`, { eventTypes: ['transfer.failed'] })
  await cancelOne()
  await waitFor('the events', async () => (server.heard.length > 3 ? true : null))
  expect(server.heard.map(({ url }) => url)).toEqual(['/hooks', '/hooks', '/late', '/late'])
})

test('events wait while an endpoint is paused; a test event does not', async () => {
  const { endpoint } = await create({ eventTypes: ['session.cancelled'] })
  expect(await act(endpoint.id, 'pause')).toMatchObject({ status: 'paused', pausedReason: 'owner' })
  expect(await act(endpoint.id, 'pause')).toMatchObject({ status: 'paused', pausedReason: 'owner' })
  await cancelOne()
  expect(await stack.api('POST', `/webhook-endpoints/${endpoint.id}/test`)).toMatchObject({
    status: 409,
    body: { error: 'endpoint_paused' },
  })
  expect((await endpointNow(endpoint.id)).health.waiting).toBe(1)
  expect((await deliveriesTo(endpoint.id)).webhooks).toMatchObject([{ status: 'pending', attemptsCount: 0 }])
  expect(server.heard).toEqual([])
  expect(await act(endpoint.id, 'resume')).toMatchObject({ status: 'active', pausedReason: null })
  await waitFor('the event', async () => (server.heard.length > 0 ? true : null))
  expect(receivedTypes()).toEqual(['session.cancelled'])
})

test('a failed delivery is sent again, alone or with all that failed since, under the same id', async () => {
  const since = new Date().toISOString()
  server.answer = (response) => void response.writeHead(500).end('no')
  const { endpoint } = await create({ eventTypes: ['session.cancelled'] })
  await cancelOne()
  const { id } = await waitFor(
    'three attempts',
    async () => (await deliveriesTo(endpoint.id, '&status=failed')).webhooks[0] ?? null,
  )
  expect(await details(id)).toMatchObject({
    attemptsCount: 3,
    attempts: [{ error: 'status 500' }, {}, { responseStatus: 500, responseBody: 'no' }],
  })
  server.answer = (response) => void response.end()
  const again = await stack.api<Delivery>('POST', `/webhooks/${id}/replay`)
  expect([again.status, again.body.status]).toEqual([202, 'pending'])
  expect(await settled(id)).toMatchObject({ attemptsCount: 4 })
  expect(new Set(server.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

  server.answer = (response) => void response.writeHead(503).end()
  const [first, second] = [await cancelOne(), await cancelOne()]
  await waitFor('both to fail', async () =>
    (await deliveriesTo(endpoint.id, '&status=failed')).total === 2 ? true : null,
  )
  server.answer = (response) => void response.end()
  const other = await stack.api('POST', '/webhooks/replay', { since, endpointId: newId() })
  expect(other).toMatchObject({ status: 404 })
  const replayed = await stack.api('POST', '/webhooks/replay', { since, endpointId: endpoint.id })
  expect(replayed).toMatchObject({ status: 202, body: { replayed: 2, more: false } })
  await waitFor('both to arrive', async () =>
    (await deliveriesTo(endpoint.id, '&status=delivered')).total === 3 ? true : null,
  )
  const arrived = server.heard.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)
  expect(arrived).toEqual(expect.arrayContaining([first, second]))
})

test('a 410 pauses the endpoint, and the others are notified', async () => {
  const { endpoint } = await create({ eventTypes: ['session.cancelled'] })
  server.answer = (response) => void response.writeHead(410).end()
  await cancelOne()
  const paused = await waitFor('the pause', async () => {
    const now = await endpointNow(endpoint.id)
    return now.status === 'paused' ? now : null
  })
  expect(paused.pausedReason).toBe('gone')
  await waitFor(
    'notifications of the others',
    async () => stack.receiver.received.find(({ type }) => type === 'endpoint.paused') ?? null,
  )
  const notice = stack.receiver.received.find(({ type }) => type === 'endpoint.paused')
  expect(notice?.data).toMatchObject({ reason: 'gone', endpoint: { id: endpoint.id } })
  expect((await deliveriesTo(endpoint.id)).webhooks).toMatchObject([{ status: 'failed' }])
})

test('a removed endpoint is gone, its waiting deliveries have failed, and its deliveries stay readable', async () => {
  const { endpoint } = await create({ eventTypes: ['session.cancelled'] })
  await act(endpoint.id, 'pause')
  await cancelOne()
  expect(await stack.api('DELETE', `/webhook-endpoints/${endpoint.id}`)).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect((await stack.api('GET', `/webhook-endpoints/${endpoint.id}`)).status).toBe(404)
  expect((await stack.api('DELETE', `/webhook-endpoints/${endpoint.id}`)).status).toBe(404)
  const { webhooks } = await deliveriesTo(endpoint.id)
  expect(webhooks).toMatchObject([{ status: 'failed' }])
  expect(await stack.api('POST', `/webhooks/${webhooks[0]?.id}/replay`)).toMatchObject({
    status: 409,
    body: { error: 'endpoint_removed' },
  })
})

test('a receiver that missed something reads the events after its last number: each once, without a gap', async () => {
  const before = (await get<EventPage>('/events?after=9007199254740991')).latestSequence
  for (let i = 0; i < 5; i++) await cancelOne()
  const seen: number[] = []
  for (let after = before; ; ) {
    const page = await get<EventPage>(`/events?after=${after}&limit=2`)
    seen.push(...page.events.map(({ sequence }) => sequence))
    after = page.nextAfter
    if (!page.hasMore) break
  }
  expect(seen).toEqual(seen.map((_, i) => before + 1 + i))
  expect(seen.length).toBeGreaterThanOrEqual(5)
  const cancelled = await get<EventPage>(`/events?after=${before}&type=session.cancelled&limit=100`)
  expect(cancelled.events.length).toBe(5)
  const [one] = cancelled.events
  expect(await get(`/events/${one?.id}`)).toEqual(one)
})

describe('impossible requests are refused by name, and change nothing', () => {
  test.each<[string, string, object, string]>([
    ['POST', '/webhook-endpoints', { url: 'ftp://shop.example/' }, 'url'],
    ['POST', '/webhook-endpoints', { url: 'https://a:b@shop.example/' }, 'url'],
    ['POST', '/webhook-endpoints', {}, 'url'],
    [
      'POST',
      '/webhook-endpoints',
      { url: 'https://shop.example/', eventTypes: ['session.paid', 'session.payed'] },
      'eventTypes.1',
    ],
    ['POST', '/webhook-endpoints', { url: 'https://shop.example/', eventTypes: [] }, 'eventTypes'],
    ['POST', '/webhook-endpoints', { url: 'https://shop.example/', signature: 'rsa' }, 'signature'],
    ['POST', '/webhooks/replay', { since: 'yesterday' }, 'since'],
    ['POST', '/webhooks/replay', {}, 'since'],
    [
      'POST',
      '/monitoring/addresses',
      { chain: 'ethereum', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
      'address',
    ],
    ['POST', '/monitoring/addresses', { chain: 'bitcoin', address: `0x${'ab'.repeat(20)}` }, 'chain'],
    [
      'POST',
      '/monitoring/addresses',
      { chain: 'ethereum', address: `0x${'ab'.repeat(20)}`, tokens: 'some' },
      'tokens',
    ],
    [
      'POST',
      '/monitoring/addresses',
      { chain: 'ethereum', address: `0x${'ab'.repeat(20)}`, metadata: { a: 'x'.repeat(5000) } },
      'metadata',
    ],
    [
      'POST',
      '/monitoring/addresses/bulk',
      { chain: 'ethereum', addresses: [{ address: `0x${'ab'.repeat(20)}` }, { address: '0x1' }] },
      'addresses.1.address',
    ],
    ['POST', '/monitoring/addresses/bulk', { chain: 'ethereum', addresses: [] }, 'addresses'],
  ])('%s %s %j', async (method, path, body, field) => {
    const answer = await stack.api<{ error: string; fields: { field: string }[] }>(method, path, body)
    expect([answer.status, answer.body.error, answer.body.fields?.map((each) => each.field)]).toEqual([
      400,
      'Invalid request body',
      [field],
    ])
    expect((await get<{ total: number }>('/monitoring/addresses')).total).toBe(0)
    expect((await get<{ endpoints: Endpoint[] }>('/webhook-endpoints')).endpoints).toHaveLength(1)
  })

  test.each(['since=yesterday', 'endpointId=7', 'type=*.paid', 'status=open'])(
    'GET /webhooks?%s',
    async (query) => {
      const answer = await stack.api<{ fields: { field: string }[] }>('GET', `/webhooks?${query}`)
      expect([answer.status, answer.body.fields?.map((each) => each.field)]).toEqual([
        400,
        [query.split('=')[0]],
      ])
    },
  )

  test.each(['after=-1', 'after=x', 'limit=0', 'limit=101', 'type=*'])('GET /events?%s', async (query) => {
    expect((await stack.api('GET', `/events?${query}`)).status).toBe(400)
  })
})

test('10,000 addresses are added in one call, each once, and all are stored; elsewhere the limit stays 100 kB', async () => {
  const addresses = Array.from({ length: 10_000 }, (_, i) => ({
    address: `0x${(i + 1).toString(16).padStart(40, '0')}`,
    metadata: { userId: `user-${i}` },
  }))
  const add = async () => {
    const asked = await stack.api<{ id: string }>('POST', '/monitoring/addresses/bulk', {
      chain: 'ethereum',
      addresses,
    })
    expect(asked.status).toBe(202)
    const addition = `/monitoring/additions/${asked.body.id}`
    await waitFor('the addition', async () => (await stack.api('GET', addition)).body.status === 'completed')
    const ids: string[] = []
    for (let page = 1; page <= 100; page++) {
      const listed = await stack.api<{ addresses: { id: string }[] }>(
        'GET',
        `${addition}/addresses?page=${page}&limit=100`,
      )
      ids.push(...listed.body.addresses.map(({ id }) => id))
    }
    return { body: (await stack.api('GET', addition)).body, ids }
  }
  const added = await add()
  expect(added.body).toMatchObject({ added: 10_000, existing: 0, importId: null })
  expect(new Set(added.ids).size).toBe(10_000)
  const again = await add()
  expect(again.body).toMatchObject({ added: 0, existing: 10_000 })
  expect(again.ids).toEqual(added.ids)
  expect(await get('/monitoring/addresses?limit=1&sort=ASC')).toMatchObject({
    total: 10_000,
    totalPages: 10_000,
    addresses: [{ metadata: { userId: 'user-0' } }],
  })
  const tooMany = await stack.api('POST', '/monitoring/addresses/bulk', {
    chain: 'ethereum',
    addresses: [...addresses, { address: `0x${'ff'.repeat(20)}` }],
  })
  expect(tooMany.status).toBe(400)
  const large = (bytes: number) => ({
    chain: 'ethereum',
    address: `0x${'ab'.repeat(20)}`,
    metadata: { a: 'x'.repeat(bytes) },
  })
  expect(await stack.api('POST', '/monitoring/addresses', large(110_000))).toMatchObject({
    status: 413,
    body: { message: 'The body may have 100 kB at most' },
  })
  expect(
    await stack.api('POST', '/monitoring/addresses/bulk', {
      chain: 'ethereum',
      addresses: [large(4_300_000)],
    }),
  ).toMatchObject({
    status: 413,
    body: { message: 'The body may have 4 MB at most' },
  })
})
