import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { newId } from '../../src/platform/ids.ts'

import { startServer, type TestServer } from '../support/httpServer.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Events of a single session at its own address, and endpoints that get a part of the events.

interface Callbacks {
  hosts: { host: string; id: string; waiting: number }[]
  secret: string | null
  error?: string
  fields?: { field: string; code: string }[]
}
interface Delivery {
  id: string
  url?: string
  endpointId: string
  status: string
  type: string
}
interface Event {
  type: string
  data: Record<string, unknown>
}

let stack: Stack
let server: TestServer
let secret: string

const host = '127.0.0.1'
const setHosts = (hosts: string[]) => stack.api<Callbacks>('PUT', '/webhook-callbacks', { hosts })

beforeAll(async () => {
  stack = await createStack({ chains: ['ethereum', 'base'], env: { WEBHOOK_RETRY_SECONDS: '0,1,1' } })
  await stack.createSession({ chain: 'base' })
  const { status, body } = await setHosts([host])
  expect(status).toBe(200)
  secret = body.secret ?? ''
})
afterAll(() => stack?.close())
beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  // What is still under way would fail without its server, and slow the host down for the next test.
  await waitFor(
    'the end of all deliveries',
    async () => (await stack.db.query('select 1 from webhook_queue')).length === 0,
  )
  await server.close()
})

const withCallback = (path: string, more: object = {}) =>
  stack.createSession({ webhookUrl: `${server.url}${path}`, ...more })
const cancel = (id: string) => stack.api('POST', `/pos/sessions/${id}/cancel`)
const heardAt = (path: string) =>
  server.heard.filter(({ url }) => url === path).map(({ body }) => JSON.parse(body) as Event)
const typesAt = (path: string) => heardAt(path).map(({ type }) => type)
const deliveries = async (query: string) =>
  (await stack.api<{ webhooks: Delivery[] }>('GET', `/webhooks?type=*&${query}`)).body.webhooks
const refusalOf = async (body: object) => {
  const answer = await stack.api<Callbacks>('POST', '/pos/sessions', {
    chain: 'ethereum',
    token: 'USDC',
    amount: '10',
    ...body,
  })
  return answer.body.fields?.map(({ field, code }) => [field, code])
}

describe('the events of a session with a webhookUrl', () => {
  test('go there too, each once, signed with the secret of callbacks; those of other sessions do not', async () => {
    const session = await withCallback('/a?k=1')
    expect(session.webhookUrl).toBe(`${server.url}/a?k=1`)
    const other = await withCallback('/b')
    await stack.createSession()
    await stack.pay(session)
    await stack.mine(3)
    await stack.sessionIs(session.id, 'paid')
    await waitFor('the last event', async () => typesAt('/a?k=1').includes('session.paid') || null)
    expect(typesAt('/a?k=1').sort()).toEqual(['session.created', 'session.detected', 'session.paid'])
    expect(typesAt('/b')).toEqual(['session.created'])
    expect(heardAt('/b')[0]?.data.id).toBe(other.id)
    expect(server.heard).toHaveLength(4)
    for (const { headers, body } of server.heard)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy()
    // The endpoint of the business gets them too, without the URL.
    const atEndpoint = await waitFor('the endpoint', async () =>
      stack.receiver.received.find(({ type, data }) => type === 'session.paid' && data.id === session.id),
    )
    expect(atEndpoint.data).not.toHaveProperty('webhookUrl')
  })

  test('are listed as deliveries with that URL, and replayed like others', async () => {
    const session = await withCallback('/replayed')
    const [delivery] = await waitFor('the delivery', async () => {
      const found = (await deliveries('status=delivered')).filter(({ url }) => url?.endsWith('/replayed'))
      return found.length > 0 ? found : null
    })
    const { body } = await stack.api<Callbacks>('GET', '/webhook-callbacks')
    expect(body.hosts).toMatchObject([{ host, id: delivery?.endpointId }])
    expect((await stack.api('POST', `/webhooks/${delivery?.id}/replay`)).status).toBe(202)
    await waitFor('the replay', async () => heardAt('/replayed').length === 2 || null)
    expect(heardAt('/replayed').every(({ data }) => data.id === session.id)).toBe(true)
  })

  test('are retried after a failure, also after 410: a receiver that is gone does not stop the others of its host', async () => {
    server.answer = (response, { url }) => void response.writeHead(url === '/gone' ? 410 : 200).end()
    await withCallback('/gone')
    await waitFor('the attempts', async () => heardAt('/gone').length === 3 || null)
    await waitFor(
      'the end',
      async () => (await deliveries('status=failed')).some(({ url }) => url?.endsWith('/gone')) || null,
    )
    await withCallback('/there')
    await waitFor('the other', async () => heardAt('/there').length === 1 || null)
  })

  test('of many sessions with a URL each are one row of work, and never more at a time than their host has', async () => {
    let open = 0
    let most = 0
    server.answer = (response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end()
      }, 20)
    }
    await Promise.all(Array.from({ length: 100 }, (_, i) => withCallback(`/many/${i}`)))
    await waitFor('all', async () => server.heard.length >= 100 || null, 60_000)
    expect(new Set(server.heard.map(({ url }) => url)).size).toBe(100)
    expect(most).toBeLessThanOrEqual(16)
    const [row] = await stack.db.query<{ n: number }>(
      'select count(*)::int as n from webhook_endpoints where business_id = $1 and callback_host is not null',
      [stack.businessId],
    )
    expect(row?.n).toBe(1)
  })
})

test('failed callbacks of a host are sent again together; once the host was removed, the answer says so', async () => {
  const since = new Date().toISOString()
  let status = 500
  server.answer = (response) => void response.writeHead(status).end()
  await withCallback('/failing')
  const failed = await waitFor('the end', async () =>
    (await deliveries('status=failed')).find(({ url }) => url?.endsWith('/failing')),
  )
  status = 200
  const replay = (path: string, body?: object) =>
    stack.api<{ replayed?: number; message?: string; error?: string }>('POST', path, body)
  expect(await replay('/webhooks/replay', { since, endpointId: failed.endpointId })).toMatchObject({
    status: 202,
    body: { replayed: 1, more: false },
  })
  await waitFor('the replay', async () =>
    (await deliveries('status=delivered')).find(({ id }) => id === failed.id),
  )

  await setHosts([])
  const gone = {
    status: 409,
    body: {
      error: 'endpoint_removed',
      message: expect.stringContaining(`callback host ${host} was removed`),
    },
  }
  expect(await replay(`/webhooks/${failed.id}/replay`)).toMatchObject(gone)
  expect(await replay('/webhooks/replay', { since, endpointId: failed.endpointId })).toMatchObject(gone)
  await setHosts([host])
  expect((await replay(`/webhooks/${failed.id}/replay`)).status).toBe(202)
})

describe('a webhookUrl', () => {
  test.each([
    ['of another host', 'https://shop.example.org/', 'unlisted_host'],
    ['that is no URL', 'shop', 'invalid_url'],
    ['of another scheme', 'ftp://127.0.0.1/', 'invalid_url'],
    ['with a password', 'http://a:b@127.0.0.1/', 'invalid_url'],
  ])('%s is refused', async (_, webhookUrl, code) => {
    expect(await refusalOf({ webhookUrl })).toEqual([['webhookUrl', code]])
  })

  test('is a part of the request that an Idempotency-Key stands for', async () => {
    const post = (webhookUrl: string, key: string) =>
      stack.api<SessionBody & Callbacks>(
        'POST',
        '/pos/sessions',
        { chain: 'ethereum', token: 'USDC', amount: '10', webhookUrl },
        { 'idempotency-key': key },
      )
    const key = newId()
    const first = await post(`${server.url}/1`, key)
    expect((await post(`${server.url}/1`, key)).body.id).toBe(first.body.id)
    expect((await post(`${server.url}/2`, key)).status).toBe(422)
  })

  test('is not shown to the customer', async () => {
    const { checkoutUrl } = await withCallback('/secret-path')
    const port = stack.processes.get('api')?.port()
    const page = await fetch(`http://127.0.0.1:${port}/api/v1${new URL(String(checkoutUrl)).pathname}`)
    expect(page.status).toBe(200)
    expect(await page.text()).not.toContain('secret-path')
  })

  test('of a host that was removed gets no more; waiting deliveries fail', async () => {
    server.answer = (response) => void response.writeHead(500).end()
    const session = await withCallback('/removed')
    await waitFor('an attempt', async () => heardAt('/removed').length > 0 || null)
    expect((await setHosts([])).body).toEqual({ hosts: [], previousSecretUntil: null, secret: null })
    await cancel(session.id)
    await waitFor(
      'the failure',
      async () => (await deliveries('status=failed')).some(({ url }) => url?.endsWith('/removed')) || null,
    )
    expect(await refusalOf({ webhookUrl: `${server.url}/x` })).toEqual([['webhookUrl', 'unlisted_host']])
    // The secret stays.
    expect((await setHosts([host])).body.secret).toBeNull()
    server.answer = (response) => void response.end()
    await withCallback('/again')
    const { headers, body } = await waitFor('the event', async () =>
      server.heard.find(({ url }) => url === '/again'),
    )
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy()
    // An event that was recorded later has arrived.
    expect(typesAt('/removed')).not.toContain('session.cancelled')
  })
})

test('a business lists up to 200 hosts over time, and those that it had as often as it likes', async () => {
  const known = async () =>
    (await stack.db.query('select 1 from webhook_endpoints where callback_host is not null')).length
  const before = await known()
  const hosts = (round: number) => Array.from({ length: 20 }, (_, i) => `shop-${round}-${i}.example.com`)
  const rounds = Math.floor((200 - before) / 20)
  for (let round = 0; round < rounds; round++) expect((await setHosts(hosts(round))).status).toBe(200)
  expect(await setHosts(hosts(rounds))).toMatchObject({ status: 409, body: { error: 'cap_reached' } })
  expect(await known()).toBe(before + rounds * 20)
  expect((await setHosts(hosts(0))).status).toBe(200)
  expect((await setHosts([host])).status).toBe(200)
})

test('the secret of callbacks is rotated: for a while both sign', async () => {
  const { body } = await stack.api<Callbacks>('POST', '/webhook-callbacks/rotate-secret')
  expect(body.secret).toMatch(/^whsec_/)
  await withCallback('/rotated')
  const heard = await waitFor('the event', async () => server.heard.find(({ url }) => url === '/rotated'))
  for (const each of [secret, body.secret ?? ''])
    expect(new Webhook(each).verify(heard.body, heard.headers as Record<string, string>)).toBeTruthy()
})

describe('an endpoint with filters', () => {
  const endpoint = async (filters: object) => {
    const { status, body } = await stack.api<{ endpoint: { id: string } }>('POST', '/webhook-endpoints', {
      url: `${server.url}/filtered`,
      ...filters,
    })
    expect(status).toBe(201)
    return body.endpoint.id
  }
  const created = () =>
    heardAt('/filtered')
      .filter(({ type }) => type === 'session.created')
      .map(({ data }) => data.reference ?? data.chain)
  const remove = (id: string) => stack.api('DELETE', `/webhook-endpoints/${id}`)

  test.each([
    ['chains', { chains: ['base'] }, ['base']],
    ['tokens', { tokens: ['USDT'] }, ['usdt-1']],
    ['referencePrefix', { referencePrefix: 'shop-' }, ['shop-1']],
    ['all of them', { chains: ['ethereum'], tokens: ['USDC'], referencePrefix: 'shop-' }, ['shop-1']],
  ])('by %s gets only the events that match', async (_, filters, expected) => {
    const id = await endpoint(filters)
    await stack.createSession({ chain: 'base' })
    await stack.createSession({ token: 'USDT', reference: 'usdt-1' })
    await stack.createSession({ reference: 'shop-1' })
    await stack.createSession({ reference: 'Shop-2' })
    await stack.createSession()
    // A test event has neither chain nor token nor reference.
    expect((await stack.api('POST', `/webhook-endpoints/${id}/test`)).status).toBe(202)
    await waitFor('the test event', async () => typesAt('/filtered').includes('endpoint.test') || null)
    expect(created()).toEqual(expected)
    await remove(id)
  })

  test('gets events without a chain, a token or a reference all the same', async () => {
    const watching = await endpoint({
      chains: ['base'],
      tokens: ['USDT'],
      referencePrefix: 'x',
      eventTypes: ['endpoint.*'],
    })
    server.answer = (response, { url }) => void response.writeHead(url === '/bad' ? 410 : 200).end()
    const bad = await stack.api<{ endpoint: { id: string } }>('POST', '/webhook-endpoints', {
      url: `${server.url}/bad`,
    })
    await stack.createSession()
    await waitFor('the event', async () => typesAt('/filtered').includes('endpoint.paused') || null)
    await Promise.all([remove(watching), remove(bad.body.endpoint.id)])
  })

  test('whose filter changes gets later events by it', async () => {
    const id = await endpoint({ referencePrefix: 'a' })
    await stack.createSession({ reference: 'b-1' })
    expect(
      (await stack.api('PATCH', `/webhook-endpoints/${id}`, { referencePrefix: 'b' })).body,
    ).toMatchObject({ referencePrefix: 'b', chains: null })
    await stack.createSession({ reference: 'a-1' })
    await stack.createSession({ reference: 'b-2' })
    await waitFor('the event', async () => created().length > 0 || null)
    expect(created()).toEqual(['b-2'])
    await remove(id)
  })

  test('by a token that nobody knows is refused', async () => {
    const { body } = await stack.api<Callbacks>('POST', '/webhook-endpoints', {
      url: `${server.url}/filtered`,
      tokens: ['usdc'],
    })
    expect(body.fields).toMatchObject([{ field: 'tokens.0', code: 'unknown_token' }])
  })
})

test('a business without an endpoint gets the events of its sessions at their URL, and is paid', async () => {
  const { body } = await stack.api<{ endpoints: { id: string }[] }>('GET', '/webhook-endpoints')
  for (const { id } of body.endpoints) await stack.api('DELETE', `/webhook-endpoints/${id}`)
  const session = await withCallback('/alone')
  await stack.pay(session)
  await stack.mine(3)
  await stack.sessionIs(session.id, 'paid')
  await waitFor('the last event', async () => typesAt('/alone').includes('session.paid') || null)
  expect(typesAt('/alone').sort()).toEqual(['session.created', 'session.detected', 'session.paid'])
})
