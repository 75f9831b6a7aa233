import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { knownChain } from '../../src/chains/registry.ts'
import { newId } from '../../src/platform/ids.ts'
import { makeAutopayout } from '../support/madeAutopayout.ts'
import { type Collector, printTrace, type ReceivedSpan } from '../support/otlp.ts'
import { putIn } from '../support/paying.ts'
import { type Prometheus, startPrometheus } from '../support/prometheus.ts'
import {
  createStack,
  partnerCredentials,
  type SessionBody,
  type Stack,
  webhookSecret,
} from '../support/stack.ts'
import { appKey, seedKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

/** One payment with its payout, through every process, in front of a collector. */

const [traceId, callerSpan] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const requestId = 'support-question-1'

let collector: Collector
let stack: Stack
let session: SessionBody
let trace: ReceivedSpan[]
let prometheus: Prometheus

/** Spans that one payment with its payout has, among others. Each process exports its own by turns. */
const steps = [
  'createSession',
  'GET yellowcard',
  'detection seen',
  'detection confirmed',
  'process session-payment',
  'step outflows',
  'step intents',
]
const sends = [
  'sign transaction',
  'broadcast transaction',
  'ethereum eth_sendRawTransaction',
  'intent confirmed',
]
const deliveries = [
  'session.created',
  'session.detected',
  'session.paid',
  'payout.created',
  'payout.completed',
  'session.paid_out',
]
const wanted = [...steps, ...sends, ...deliveries.map((type) => `deliver ${type}`)]

beforeAll(async () => {
  stack = await createStack({
    separate: true,
    traced: true,
    env: { LOG_LEVEL: 'trace', TRACE_STATEMENT_MS: '50' },
  })
  if (!stack.collector) throw new Error('not traced')
  collector = stack.collector
  prometheus = await startPrometheus({
    targets: [...stack.processes.values()].map((each) => each.metricsUrl()),
  })
  await fundTreasury()
  await makeAutopayout(stack.db, stack.businessId, { address: `0x${newId().replaceAll('-', '')}000000ab` })
  const order = { chain: 'ethereum', token: 'USDC', localAmount: '25000', localCurrency: 'NGN' }
  const headers = { traceparent: `00-${traceId}-${callerSpan}-01`, 'x-request-id': requestId }
  const created = await waitFor('a chain that is read', async () => {
    const answer = await stack.api<SessionBody>('POST', '/pos/sessions', order, headers)
    return answer.status === 201 ? answer : null
  })
  expect(created.headers.get('x-request-id')).toBe(requestId)
  session = created.body
  await stack.pay(session)
  await stack.mine(1)
  // An indexer that reads several blocks at once may publish a payment that is confirmed already.
  await waitFor('the payment', async () => stack.receiver.types(session.id).includes('session.detected'))
  await waitFor(
    'the payout',
    async () => {
      await stack.mine(1)
      return stack.receiver.types(session.id).includes('session.paid_out')
    },
    60_000,
  )
  trace = await waitFor('the spans of each step', async () => {
    const found = collector.spans.filter((each) => each.traceId === traceId)
    const missing = wanted.filter((name) => !found.some((each) => each.name === name))
    if (missing.length + gapsOf(found).length > 0)
      throw new Error(`missing: ${missing}; without a parent: ${gapsOf(found)}`)
    return found
  })
}, 180_000)
afterAll(async () => {
  await prometheus?.close()
  await stack?.close()
})

/** The float that payouts leave from, on the chain and in the books. */
async function fundTreasury(): Promise<void> {
  const [treasury] = await stack.db.query<{ address: Address }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  const chain = knownChain('ethereum')
  if (!treasury || !chain) throw new Error('no treasury')
  await stack.sendNative(treasury.address, 10n ** 19n)
  await stack.send(treasury.address, 1_000_000_000n)
  await stack.mine(2)
  const of = { db: stack.db, businessId: stack.businessId, chain }
  await putIn(of, 'USDC', 1_000_000_000n)
  await putIn(of, chain.native.symbol, 10n ** 19n)
}

/** Spans whose parent has not come: it is exported after its parts. */
const gapsOf = (spans: readonly ReceivedSpan[]): string[] => {
  const ids = new Set([callerSpan, ...spans.map(({ spanId }) => spanId)])
  return spans.filter(({ parentId }) => !ids.has(parentId)).map(({ name, service }) => `${service} ${name}`)
}

const named = (name: string) => trace.filter((each) => each.name === name)

test('a payment with its payout is one trace, through every process, as a tree without gaps', () => {
  expect(gapsOf(trace)).toEqual([])
  expect([...new Set(trace.map(({ service }) => service))].sort()).toEqual([
    'cowry-api',
    'cowry-indexer-ethereum',
    'cowry-treasury',
    'cowry-worker',
  ])
  expect(wanted.filter((name) => named(name).length === 0)).toEqual([])
  if (process.env.COWRY_PRINT_TRACE)
    writeFileSync(process.env.COWRY_PRINT_TRACE, `${printTrace(trace, callerSpan)}\n`)
})

test('a request has its operation, and its caller; each later step follows from the one before', () => {
  const [created] = named('createSession')
  expect(created).toMatchObject({
    service: 'cowry-api',
    parentId: callerSpan,
    kind: 2,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/pos/sessions',
      'http.response.status_code': 201,
      'cowry.request_id': requestId,
      'cowry.business.id': stack.businessId,
    },
  })
  const parentOf = ({ parentId }: ReceivedSpan) => trace.find(({ spanId }) => spanId === parentId)?.name
  expect(named('detection seen').map(parentOf)).toEqual(['createSession'])
  expect(named('sign transaction').map(parentOf)).toEqual(['step outflows'])
  expect(named('broadcast transaction').map(parentOf)).toContain('step intents')
  expect(named('deliver session.paid').map(parentOf)).toEqual(['process session-payment'])
})

test('a detection is linked to its block, which is a trace of its own', () => {
  const [seen] = named('detection seen')
  const blocks = collector.spans.filter(({ name }) => name === 'commit blocks')
  const [block] = seen?.links ?? []
  expect(block?.traceId).not.toBe(traceId)
  expect(blocks.map(({ spanId }) => spanId)).toContain(block?.spanId)
})

test('a receiver gets the traceparent of its delivery', () => {
  const [paid] = stack.receiver.about(session.id).filter(({ type }) => type === 'session.paid')
  const [delivery] = named('deliver session.paid')
  expect(stack.receiver.traceparents.get(paid?.id ?? '')).toBe(`00-${traceId}-${delivery?.spanId}-01`)
})

test('in Prometheus, histograms of latency have exemplars that lead to traces', async () => {
  const recorded = () => new Set(collector.spans.map((each) => each.traceId))
  const histograms = [
    'http_request_seconds',
    'rpc_seconds',
    'webhook_attempt_seconds',
    'detection_latency_seconds',
  ]
  await waitFor('exemplars of each', async () => {
    // Latency is measured of blocks that are read at the head.
    await stack.send(session.address, 1n)
    await stack.mine(1)
    for (const name of histograms) {
      const found = await prometheus.exemplars(`cowry_${name}_bucket`)
      const ids = found.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels.trace_id ?? ''))
      if (ids.length === 0) throw new Error(`no exemplar of ${name}`)
      // A span is exported after its part of the work was measured.
      const unknown = ids.filter((id) => !recorded().has(id))
      if (unknown.length > 0) throw new Error(`${name} leads to ${unknown}`)
    }
    return true
  })
  const [created] = await prometheus.exemplars('cowry_http_request_seconds_bucket{operation="createSession"}')
  expect(created?.exemplars.map(({ labels }) => labels)).toEqual([{ trace_id: traceId }])
})

test('in Prometheus, the series are those of the text format', async () => {
  const name = (series: string) => /^(\w+)/.exec(series)?.[1] ?? ''
  const texts = await Promise.all(
    [...stack.processes.values()].map(async (each) => (await fetch(each.metricsUrl())).text()),
  )
  const inText = new Set(
    texts.flatMap((text) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('cowry_'))
        .map(name),
    ),
  )
  const inPrometheus = async () =>
    new Set(
      (await prometheus.query('count by (__name__) ({__name__=~"cowry_.+"})')).map(
        ({ metric }) => metric.__name__ ?? '',
      ),
    )
  // Each process has its own time of a scrape.
  await waitFor('a scrape of each process', async () => {
    const scraped = await inPrometheus()
    return [...inText].every((series) => scraped.has(series))
  })
  expect([...(await inPrometheus())].sort()).toEqual([...inText].sort())
  expect(inText.size).toBeGreaterThan(100)
})

test('from the id of a request to its trace, its lines and its rows', async () => {
  const lines = linesOf(stack).filter((line) => line.requestId === requestId)
  expect(lines.filter(({ traceId: of }) => of !== traceId)).toEqual([])
  expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
    process: 'api',
    operation: 'createSession',
    status: 201,
    businessId: stack.businessId,
  })
  expect(lines.find(({ msg }) => msg === 'session settled')).toMatchObject({
    process: 'worker',
    sessionId: session.id,
  })
  expect(lines.find(({ msg }) => msg === 'signed')).toMatchObject({ process: 'treasury' })
  const rows = await stack.db.query(
    `select (select count(*)::int from audit_log where request_id = $1) as audit,
       (select count(*)::int from intents where request_id = $1 and traceparent like $2) as intents,
       (select count(*)::int from outflows where request_id = $1 and traceparent like $2) as outflows,
       (select count(distinct type)::int from events where traceparent like $2) as events`,
    [requestId, `00-${traceId}-%`],
  )
  expect(rows).toEqual([{ audit: expect.any(Number), intents: 1, outflows: 1, events: expect.any(Number) }])
  expect(rows[0]?.events).toBeGreaterThanOrEqual(6)
})

test('each request has one access line, and each answer an id, also of requests that nothing reads', async () => {
  const port = stack.processes.get('api')?.port() ?? 0
  const before = linesOf(stack).filter(({ msg }) => msg === 'request').length
  const refused = await stack.api('GET', '/pos/sessions/x', undefined, { 'x-api-key': 'sk_test_wrong' })
  const unknown = await fetch(`http://127.0.0.1:${port}/nothing`)
  const unreadable = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nno colon\r\n\r\n'))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
  expect(refused.headers.get('x-request-id')).toBe((refused.body as { requestId: string }).requestId)
  expect(unknown.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  expect(unreadable).toMatch(/^HTTP\/1\.1 400 [^\r]*\r\nX-Request-Id: [\w-]{36}\r\n/)
  const added = await waitFor('two lines', async () => {
    const found = linesOf(stack)
      .filter(({ msg }) => msg === 'request')
      .slice(before)
    return found.length >= 2 ? found : null
  })
  expect(added.map(({ operation, status, ms }) => [operation, status, typeof ms])).toEqual([
    ['getSession', 401, 'number'],
    ['none', 404, 'number'],
  ])
})

test('a caller who goes away has a line too', async () => {
  const port = stack.processes.get('api')?.port() ?? 0
  const gone = request({
    port,
    host: '127.0.0.1',
    path: '/api/v1/events/stream',
    headers: { 'x-api-key': stack.apiKey, 'x-request-id': 'gone-before-the-end' },
  })
  gone.on('response', (response) => {
    response.on('error', () => {})
    gone.destroy()
  })
  gone.on('error', () => {})
  gone.end()
  await waitFor('its line', async () =>
    linesOf(stack).some((line) => line.msg === 'request' && line.requestId === 'gone-before-the-end'),
  )
})

test('no span and no exemplar holds a credential or a key', async () => {
  const secrets = [
    stack.apiKey,
    webhookSecret,
    appKey,
    seedKey,
    partnerCredentials.apiKey,
    partnerCredentials.secretKey,
    'sk_test_wrong',
  ]
  const text = await collector.text()
  const exemplars = JSON.stringify(await prometheus.exemplars('{__name__=~"cowry_.+_bucket"}'))
  expect(text.length).toBeGreaterThan(10_000)
  expect(exemplars).toContain(traceId)
  expect(secrets.filter((secret) => text.includes(secret) || exemplars.includes(secret))).toEqual([])
})

function linesOf({ logs }: Stack): Record<string, unknown>[] {
  return logs()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
}
