import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { type ReceivedRequest, startServer, type TestServer } from '../support/httpServer.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Verifies deliveries as receivers do: with the public packages, and with Node alone.

interface Endpoint {
  id: string
  publicKey: string | null
  previousSecretUntil: string | null
}

interface Delivery {
  id: string
  eventId: string
}

/** Verifies a request with one secret or public key of the endpoint. */
type Verifies = (request: ReceivedRequest, shown: string) => boolean

let stack: Stack
let receiver: TestServer

beforeAll(async () => {
  stack = await createStack({ processes: ['api', 'worker'] })
  receiver = await startServer((response) => void response.writeHead(204).end())
})
afterAll(async () => {
  await stack?.close()
  await receiver?.close()
})

const throughout =
  (Verifier: typeof StandardWebhook | typeof SvixWebhook): Verifies =>
  ({ headers, body }, secret) => {
    try {
      new Verifier(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }

/** By the specification alone: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const byNode: Verifies = ({ headers, body }, publicKey) => {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  return String(headers['webhook-signature'])
    .split(' ')
    .some(
      (each) => each.startsWith('v1a,') && verify(null, signed, key, Buffer.from(each.slice(4), 'base64')),
    )
}

const ways: { name: string; signature: 'hmac' | 'ed25519'; scheme: string; verifies: Verifies }[] = [
  {
    name: 'the standardwebhooks package',
    signature: 'hmac',
    scheme: 'v1',
    verifies: throughout(StandardWebhook),
  },
  { name: 'the svix package', signature: 'hmac', scheme: 'v1', verifies: throughout(SvixWebhook) },
  { name: 'node:crypto and the public key', signature: 'ed25519', scheme: 'v1a', verifies: byNode },
]

async function post<T>(path: string, body?: object): Promise<T> {
  const answer = await stack.api<T>('POST', path, body)
  if (answer.status >= 300)
    throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const requestsFor = (eventId: string): ReceivedRequest[] =>
  receiver.heard.filter(({ headers }) => headers['webhook-id'] === eventId)

/** Sends a test event and waits for it. */
async function sendTest(endpoint: Endpoint): Promise<{ delivery: Delivery; request: ReceivedRequest }> {
  const delivery = await post<Delivery>(`/webhook-endpoints/${endpoint.id}/test`)
  const request = await waitFor('the test event', async () => requestsFor(delivery.eventId)[0])
  return { delivery, request }
}

const shownOf = (endpoint: Endpoint, secret: string | null): string => {
  const shown = endpoint.publicKey ?? secret
  if (!shown) throw new Error('no secret and no public key')
  return shown
}

describe.each(ways)('by $name', ({ signature, scheme, verifies }) => {
  let endpoint: Endpoint
  let old: string
  let renewed: string
  let tested: { delivery: Delivery; request: ReceivedRequest }

  const schemesOf = ({ headers }: ReceivedRequest) =>
    String(headers['webhook-signature'])
      .split(' ')
      .map((each) => each.split(',')[0])

  test('a test event is valid, and invalid after a change of its body, time or id', async () => {
    const created = await post<{ endpoint: Endpoint; secret: string | null }>('/webhook-endpoints', {
      url: `${receiver.url}/hooks`,
      signature,
    })
    ;({ endpoint } = created)
    expect([created.secret === null, endpoint.publicKey === null]).toEqual([
      signature === 'ed25519',
      signature === 'hmac',
    ])
    old = shownOf(endpoint, created.secret)
    tested = await sendTest(endpoint)
    const { request } = tested
    expect(JSON.parse(request.body)).toMatchObject({
      type: 'endpoint.test',
      version: 1,
      data: { endpointId: endpoint.id },
    })
    expect(schemesOf(request)).toEqual([scheme])
    expect(verifies(request, old)).toBe(true)
    const altered = (headers: Record<string, string>, body = request.body) =>
      verifies({ ...request, headers: { ...request.headers, ...headers }, body }, old)
    expect(altered({}, request.body.replace('endpoint.test', 'endpoint.tesT'))).toBe(false)
    expect(altered({ 'webhook-timestamp': String(Number(request.headers['webhook-timestamp']) + 1) })).toBe(
      false,
    )
    expect(altered({ 'webhook-id': `${request.headers['webhook-id']}0` })).toBe(false)
  })

  test("during a rotation's overlap, the old and the new secret are each valid", async () => {
    const rotated = await post<{ endpoint: Endpoint; secret: string | null }>(
      `/webhook-endpoints/${endpoint.id}/rotate-secret`,
    )
    renewed = shownOf(rotated.endpoint, rotated.secret)
    expect(renewed).not.toBe(old)
    const hours = (Date.parse(rotated.endpoint.previousSecretUntil ?? '') - Date.now()) / 3_600_000
    expect([hours > 23.9, hours <= 24]).toEqual([true, true])
    const { request } = await sendTest(endpoint)
    expect(schemesOf(request)).toEqual([scheme, scheme])
    expect([verifies(request, old), verifies(request, renewed)]).toEqual([true, true])
    expect(verifies(tested.request, renewed)).toBe(false)
  })

  test('after the overlap, only the new one is valid', async () => {
    await stack.db.query(
      "update webhook_endpoints set previous_until = now() - interval '1 second' where id = $1",
      [endpoint.id],
    )
    const { request } = await sendTest(endpoint)
    expect(schemesOf(request)).toEqual([scheme])
    expect([verifies(request, old), verifies(request, renewed)]).toEqual([false, true])
    const { body } = await stack.api<Endpoint>('GET', `/webhook-endpoints/${endpoint.id}`)
    expect(body.previousSecretUntil).toBe(null)
  })

  test('a replay is signed with the current secret, under the same id', async () => {
    const { delivery, request: before } = tested
    await post(`/webhooks/${delivery.id}/replay`)
    const again = await waitFor('the replay', async () => requestsFor(delivery.eventId)[1])
    expect(again.body).toBe(before.body)
    expect([verifies(again, old), verifies(again, renewed)]).toEqual([false, true])
  })
})
