import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { PaymentPartner } from '../../src/partnerPayments/partner.ts'
import { createPaymentPartner } from '../../src/partners/yellowcard/paymentPartner.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { webhookSignature } from '../partners/yellowcard/signature.ts'
import { type WebhookEvent, webhookRequest } from '../partners/yellowcard/webhooks.ts'
import { contentsOf } from '../support/credentialMatrix.ts'
import { once } from '../support/once.ts'
import { paymentRequest } from '../support/paymentRequests.ts'
import { createStack, partnerCredentials, type Stack } from '../support/stack.ts'

let stack: Stack
let client: PaymentPartner

beforeAll(async () => {
  stack = await createStack({ processes: ['api'] })
  stack.partner.webhooks.hold = true
  stack.partner.webhooks.url = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1/partners/yellowcard/webhooks`
  const { apiKey, secretKey } = partnerCredentials
  client = createPaymentPartner({ url: stack.partner.url, apiKey, secretKey: new Secret(secretKey) })
})
afterAll(() => stack?.close())
beforeEach(() => {
  Object.assign(stack.partner, { mode: 'ok', throttled: 0, lie: null })
  Object.assign(stack.partner.webhooks, { kind: 'PAYMENT' })
})

interface Row {
  partner: string
  partnerPaymentId: string
  sequenceId: string
  status: string
  updatedAt: Date
}
const rows = (id: string) =>
  stack.db.query<Row>(
    `select partner, partner_payment_id as "partnerPaymentId", sequence_id as "sequenceId", status, updated_at as "updatedAt"
     from partner_payment_states where partner_payment_id = $1`,
    [id],
  )
const statusOf = async (id: string) => (await rows(id))[0]?.status ?? null

const submit = (sequenceId = newId()) => client.submit(paymentRequest({ sequenceId }))
const eventOf = (id: string, more: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id,
  sequenceId: newId(),
  status: 'complete',
  apiKey: partnerCredentials.apiKey,
  event: 'PAYMENT.COMPLETE',
  executedAt: new Date().toISOString(),
  ...more,
})

interface Answer {
  status: number
  body: Record<string, unknown>
  retryAfter: string | null
}
async function send(body: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(stack.partner.webhooks.url ?? '', { method: 'POST', body, headers })
  return {
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
    retryAfter: answer.headers.get('retry-after'),
  }
}
const deliver = (event: object, secretKey = partnerCredentials.secretKey) => {
  const { body, headers } = webhookRequest(event, { secretKey })
  return send(body, headers)
}

describe('a webhook that is not genuine is refused with 401: nothing is stored, and the partner is not queried', () => {
  const genuine = (id: string) => webhookRequest(eventOf(id), partnerCredentials)
  /** A genuine one, whose body is changed after it was signed. */
  const changed = (id: string, from: string, to: string) => {
    const { body, headers } = genuine(id)
    return { body: body.replace(from, to), headers }
  }
  const forgeries: Record<string, (id: string) => { body: string; headers: Record<string, string> }> = {
    'no signature': (id) => ({ body: genuine(id).body, headers: { 'content-type': 'application/json' } }),
    'an empty signature': (id) => ({
      body: genuine(id).body,
      headers: { ...genuine(id).headers, 'x-yc-signature': '' },
    }),
    'a signature by another secret': (id) => webhookRequest(eventOf(id), { secretKey: 'another' }),
    'the signature of another body': (id) => ({ body: genuine(id).body, headers: genuine(newId()).headers }),
    'a changed body': (id) => changed(id, 'complete', 'failed'),
    'a body with another space': (id) => changed(id, ',', ', '),
    'a further field': (id) => changed(id, '{', '{"more":1,'),
    'an empty body': (id) => ({ ...genuine(id), body: '' }),
    'the key of another account, signed with our secret': (id) =>
      webhookRequest(eventOf(id, { apiKey: 'other-key' }), partnerCredentials),
    'no key, signed with our secret': (id) =>
      webhookRequest({ ...eventOf(id), apiKey: undefined }, partnerCredentials),
    'credentials of a business': (id) => ({
      body: genuine(id).body,
      headers: { 'content-type': 'application/json', 'x-api-key': stack.apiKey },
    }),
  }
  /** Sends all, between two reads of every table. */
  const sent = once(async () => {
    const { id } = await submit()
    stack.partner.asked.length = 0
    const before = await contentsOf(stack)
    const answers: Record<string, Answer> = {}
    for (const [name, forge] of Object.entries(forgeries)) {
      const { body, headers } = forge(id)
      answers[name] = await send(body, headers)
    }
    return { answers, before, after: await contentsOf(stack), asked: [...stack.partner.asked] }
  })

  test.each(Object.keys(forgeries))('%s', async (name) => {
    expect((await sent()).answers[name]).toMatchObject({ status: 401, body: { error: 'invalid_signature' } })
  })

  test('nothing is stored, and the partner is not queried', async () => {
    const { before, after, asked } = await sent()
    expect([after, asked]).toEqual([before, []])
  })
})

test('a body that is too large, of another type or compressed is refused as anywhere in the API; one that is not JSON by its signature', async () => {
  const { body, headers } = webhookRequest(eventOf(newId()), partnerCredentials)
  stack.partner.asked.length = 0
  const statuses = async (...each: [string, Record<string, string>][]) => {
    const answers: number[] = []
    for (const [text, given] of each) answers.push((await send(text, given)).status)
    return answers
  }
  expect(
    await statuses(
      [JSON.stringify({ ...eventOf(newId()), more: 'x'.repeat(9000) }), headers],
      [body, { ...headers, 'content-type': 'text/plain' }],
      [body, { ...headers, 'content-encoding': 'gzip' }],
      [body.slice(0, -1), headers],
      [`[${body}]`, headers],
    ),
  ).toEqual([413, 415, 415, 401, 401])
  expect(stack.partner.asked).toEqual([])
})

test('webhooks count against the limit of their address, genuine or not', async () => {
  const limited = await stack.start(
    'api',
    { RATE_LIMIT_ADDRESS: '3', TRUSTED_PROXIES: '127.0.0.1/32' },
    { as: 'api-2' },
  )
  stack.partner.asked.length = 0
  const { body, headers } = webhookRequest(
    eventOf(newId(), { event: 'COLLECTION.COMPLETE' }),
    partnerCredentials,
  )
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) {
    const url = `http://127.0.0.1:${limited.port()}/api/v1/partners/yellowcard/webhooks`
    statuses.push(
      (
        await fetch(url, {
          method: 'POST',
          body,
          headers: {
            ...headers,
            'x-forwarded-for': '203.0.113.7',
            ...(i === 0 ? { 'x-yc-signature': 'forged' } : {}),
          },
        })
      ).status,
    )
  }
  expect(statuses).toEqual([401, 200, 200, 429, 429])
})

test('a genuine one is answered with 200, and the state is that which the partner answers, not that of the webhook', async () => {
  const sequenceId = newId()
  const { id } = await submit(sequenceId)
  stack.partner.move(1000)
  expect(await deliver(eventOf(id, { status: 'complete', event: 'PAYMENT.COMPLETE' }))).toMatchObject({
    status: 200,
    body: { received: true },
  })
  const asked = await client.payment(id)
  expect(asked?.status).not.toBe('complete')
  expect(await rows(id)).toEqual([
    {
      partner: 'yellowcard',
      partnerPaymentId: id,
      sequenceId,
      status: asked?.status,
      updatedAt: asked?.updatedAt,
    },
  ])
})

test('the signature is that of the bytes as they came, with their white space, escapes and order', async () => {
  const { id } = await submit()
  const body = ` {\n  "event" : "PAYMENT.PROCESS", "id":"${id}", "note": "\\u00e9 \\/ 1.50", "amount": 1.50, "apiKey": "${partnerCredentials.apiKey}" }\n`
  const signature = webhookSignature(body, partnerCredentials.secretKey)
  expect((await send(body, { 'content-type': 'application/json', 'x-yc-signature': signature })).status).toBe(
    200,
  )
  expect(await rows(id)).toHaveLength(1)
})

test('events by the newer names count, those of collections cause no query of a payment', async () => {
  const { id } = await submit()
  stack.partner.asked.length = 0
  expect((await deliver(eventOf(id, { event: 'COLLECTION.COMPLETE' }))).status).toBe(200)
  expect((await deliver(eventOf(id, { event: 'RECEIVE.COMPLETE' }))).status).toBe(200)
  expect([stack.partner.asked, await rows(id)]).toEqual([
    [`/business/receive/${id}`, `/business/receive/${id}`],
    [],
  ])
  expect((await deliver(eventOf(id, { event: 'SEND.PROCESS' }))).status).toBe(200)
  expect(await rows(id)).toHaveLength(1)
})

test('a payment that the partner does not know is answered with 200, and not stored', async () => {
  const id = newId()
  expect((await deliver(eventOf(id))).status).toBe(200)
  expect(await rows(id)).toEqual([])
})

test('sent late, twice and in any order, a payment ends in its last state', async () => {
  const { webhooks } = stack.partner
  await webhooks.sendHeld()
  const { id } = await submit()
  stack.partner.move(10_000)
  const events = webhooks.made.filter((event) => event.id === id).map(({ status }) => status)
  expect(events).toEqual(['created', 'process', 'processing', 'pending', 'complete'])
  const statuses = await webhooks.sendHeld('reversed', 2)
  expect(statuses.length).toBeGreaterThanOrEqual(2 * events.length)
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await rows(id)).toMatchObject([{ status: 'complete' }])
})

test('twice is as once', async () => {
  const { id } = await submit()
  stack.partner.move(10_000)
  await deliver(eventOf(id))
  const before = await rows(id)
  await Promise.all([deliver(eventOf(id)), deliver(eventOf(id)), deliver(eventOf(id))])
  expect(await rows(id)).toEqual(before)
})

test('a state never goes back, also if the partner answers from an older copy', async () => {
  const { id, updatedAt } = await submit()
  stack.partner.move(10_000)
  await deliver(eventOf(id))
  expect(await statusOf(id)).toBe('complete')
  // From an older copy.
  stack.partner.lie = (payment) => ({ ...payment, status: 'pending', updatedAt: updatedAt.toISOString() })
  expect((await deliver(eventOf(id, { event: 'PAYMENT.PENDING', status: 'pending' }))).status).toBe(200)
  expect(await statusOf(id)).toBe('complete')
})

test('while the partner does not answer, or answers falsely, it is answered with 503 and nothing is stored; sent again, it counts', async () => {
  const { id } = await submit()
  const troubles: [string, Partial<Stack['partner']>][] = [
    ['down', { mode: 'down' }],
    ['cut', { mode: 'cut' }],
    ['garbage', { mode: 'garbage' }],
    ['throttled', { throttled: 9 }],
    ['another payment', { lie: (payment) => ({ ...payment, id: newId() }) }],
    ['another form', { lie: (payment) => ({ ...payment, updatedAt: 'soon' }) }],
  ]
  for (const [name, trouble] of troubles) {
    Object.assign(stack.partner, { mode: 'ok', throttled: 0, lie: null, ...trouble })
    const { status, body, retryAfter } = await deliver(eventOf(id))
    expect([name, status, body.error, Number(retryAfter) > 0]).toEqual([
      name,
      503,
      'partner_unavailable',
      true,
    ])
  }
  expect(await rows(id)).toEqual([])
  Object.assign(stack.partner, { mode: 'ok', throttled: 0, lie: null })
  expect((await deliver(eventOf(id))).status).toBe(200)
  expect(await rows(id)).toHaveLength(1)
})

test('neither secret nor key is in a log', () => {
  const logs = stack.logs()
  expect(logs).toContain('The partner does not answer')
  for (const secret of [partnerCredentials.secretKey, partnerCredentials.apiKey, 'YcHmacV1'])
    expect(logs).not.toContain(secret)
})
