import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Collector, startCollector } from '../../../test/support/otlp.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { createLog } from './log.ts'
import { currentCause, currentScope, inScope, readTraceparent, writeTraceparent } from './scope.ts'
import { startTracing } from './startTracing.ts'
import {
  currentTraceparent,
  inSpan,
  inTrace,
  isOld,
  onBehalf,
  openOnBehalf,
  openSpan,
  recordSpan,
  setTracer,
  timeStatement,
} from './tracing.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const sampled = { traceparent: `00-${traceId}-${spanId}-01`, requestId: 'r-12345678' }
const unsampled = { traceparent: `00-${traceId}-${spanId}-00`, requestId: 'r-12345678' }

let collector: Collector
const lines: string[] = []
const log = createLog('test', 'debug', { write: (line) => void lines.push(line) })
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  collector = await startCollector()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  setTracer(null)
  collector.spans.splice(0)
})
afterAll(() => collector?.close())

/** The exporter reads its variables from the process. */
async function trace(env: Record<string, string> = {}, name = 'test'): Promise<void> {
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20', ...env }
  Object.assign(process.env, all)
  const stop = await startTracing(name, log, all)
  for (const name of Object.keys(all)) delete process.env[name]
  if (stop) stops.push(stop)
}

const exported = (count: number) =>
  waitFor(`${count} spans`, async () => collector.spans.length >= count && collector.spans)

describe('without an exporter', () => {
  test('work runs, nothing is recorded, and a caller’s trace is passed on', async () => {
    await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    expect(await inTrace('a', {}, async () => currentScope())).toBeUndefined()
    expect(
      await onBehalf({ traceparent: null, requestId: null }, 'a', {}, async () => currentScope()),
    ).toBeUndefined()
    const seen = await onBehalf(sampled, 'a', {}, () =>
      inSpan('b', {}, async () => [currentTraceparent(), currentCause()]),
    )
    expect(seen).toEqual([sampled.traceparent, sampled])
    expect(recordSpan('c', readTraceparent(sampled.traceparent), {})).toBe(sampled.traceparent)
  })
})

test.each([
  ['worker', 'cowry-worker'],
  ['cowry', 'cowry'],
])('the service of the process %s is %s', async (name, service) => {
  await trace({}, name)
  await inTrace('a', {}, async () => {})
  expect((await exported(1)).map((each) => each.service)).toEqual([service])
})

describe('a job', () => {
  test('is a part of the trace of its row, and what it does is a part of the job', async () => {
    await trace()
    const inner = await onBehalf(sampled, 'job', { kind: 'consumer' }, () =>
      inSpan('part', {}, async () => currentTraceparent()),
    )
    const [part, job] = await exported(2)
    expect([job?.name, job?.traceId, job?.parentId, job?.kind, job?.service]).toEqual([
      'job',
      traceId,
      spanId,
      5,
      'cowry-test',
    ])
    expect([part?.name, part?.parentId, inner]).toEqual([
      'part',
      job?.spanId,
      `00-${traceId}-${part?.spanId}-01`,
    ])
  })

  test('that is tried again has a trace of its own, linked to its row, with any sampler', async () => {
    await trace({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })
    const cause = await onBehalf(sampled, 'again', { again: true }, async () => currentCause())
    const [span] = await exported(1)
    expect(span?.traceId).not.toBe(traceId)
    expect([span?.parentId, span?.links]).toEqual(['', [{ traceId, spanId }]])
    expect(cause.requestId).toBe(sampled.requestId)
  })

  test('that fails is marked, by the kind of its error without the message', async () => {
    await trace()
    const failure = Object.assign(new TypeError('whsec_AAAAAAAAAAAAAAAAAAAAAAAA'), { code: 'ECONNRESET' })
    await expect(
      onBehalf(sampled, 'job', {}, async () => {
        throw failure
      }),
    ).rejects.toBe(failure)
    const [span] = await exported(1)
    expect([span?.isError, span?.attributes['error.type']]).toEqual([true, 'TypeError ECONNRESET'])
    expect(await collector.text()).not.toContain('whsec_')
  })
})

test('a trace that its caller does not sample is passed on and not recorded', async () => {
  await trace()
  const seen = await onBehalf(unsampled, 'job', {}, () => inSpan('part', {}, async () => currentCause()))
  const again = await onBehalf(unsampled, 'job', { again: true }, async () => currentCause())
  expect([readTraceparent(seen.traceparent), seen.requestId]).toMatchObject([
    { traceId, traceFlags: 0 },
    unsampled.requestId,
  ])
  expect(again).toEqual(unsampled)
  await inTrace('end', {}, async () => {})
  expect((await exported(1)).map(({ name }) => name)).toEqual(['end'])
})

test.each(['parentbased_traceidratio', 'traceidratio'])(
  '%s decides by ratio, the same for every span of a trace',
  async (sampler) => {
    await trace({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.5' })
    let kept = 0
    for (let i = 0; i < 400; i++)
      await inTrace('root', {}, async (span) => {
        if (span.trace?.traceFlags === 1) kept++
        await inSpan('part', {}, async () => {})
      })
    expect(kept).toBeGreaterThan(120)
    expect(kept).toBeLessThan(280)
    const spans = await exported(kept * 2)
    const roots = new Set(spans.filter(({ name }) => name === 'root').map((each) => each.traceId))
    expect(spans.filter(({ name, traceId: of }) => name === 'part' && roots.has(of))).toHaveLength(kept)
    expect(spans).toHaveLength(kept * 2)
  },
)

test('every trace and span has a valid id of its own, recorded or not', async () => {
  await trace({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' })
  const roots = Array.from({ length: 2000 }, () => openSpan('root', null, {}).trace)
  expect(roots.filter((root) => !root || !readTraceparent(writeTraceparent(root)))).toEqual([])
  expect(new Set(roots.map((root) => root?.traceId)).size).toBe(roots.length)
  expect(new Set(roots.map((root) => root?.spanId)).size).toBe(roots.length)
})

test('the span of work without a scope is a part of the trace of its row, or linked to it', async () => {
  await trace()
  openOnBehalf(sampled.traceparent, 'first', {}).end()
  openOnBehalf(sampled.traceparent, 'again', { again: true }).end()
  expect(openOnBehalf(unsampled.traceparent, 'again', { again: true }).trace).toMatchObject({
    traceId,
    traceFlags: 0,
  })
  const [first, again] = await exported(2)
  expect([first?.traceId, first?.parentId, again?.links]).toEqual([traceId, spanId, [{ traceId, spanId }]])
})

test('a credential in an attribute is blanked, and what is not known is left out', async () => {
  await trace()
  const span = openSpan('request', null, {
    attributes: { a: 'see sk_live_0123456789abcdefghij', b: null, c: 7, d: true },
  })
  span.set({ e: 'invite_0123456789012345678901234567890123456789abc' })
  span.end()
  const [received] = await exported(1)
  expect(received?.attributes).toEqual({ a: 'see [redacted]', c: 7, d: true, e: '[redacted]' })
})

test('a statement above the threshold has a span with its text; others have no span, nor has one outside a trace', async () => {
  await trace({ TRACE_STATEMENT_MS: '30' })
  const slow = async () => void (await new Promise((resolve) => setTimeout(resolve, 40)))
  await timeStatement('select 1', slow)
  await inScope({ requestId: null, trace: readTraceparent(sampled.traceparent) }, async () => {
    await timeStatement('select 2', async () => {})
    await timeStatement('update  t\n set x = $1', slow)
  })
  const [span] = await exported(1)
  expect(collector.spans).toHaveLength(1)
  expect(span).toMatchObject({
    name: 'update',
    parentId: spanId,
    kind: 3,
    attributes: { 'db.query.text': 'update t set x = $1' },
  })
  expect((span?.endMs ?? 0) - (span?.startMs ?? 0)).toBeGreaterThan(25)
})

test('a collector that refuses spans is named in the log, once a minute', async () => {
  await trace({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/nowhere` })
  const failures = () => lines.filter((line) => line.includes('spans were not exported'))
  for (let i = 0; i < 3; i++) await inTrace('lost', {}, async () => {})
  await waitFor('a warning', async () => failures().length > 0)
  await inTrace('lost', {}, async () => {})
  for (const stop of stops.splice(0)) await stop()
  expect(failures()).toHaveLength(1)
})

test('a row is old after ten minutes: later work for it has a trace of its own', () => {
  expect(isOld(new Date(Date.now() - 599_000))).toBe(false)
  expect(isOld(new Date(Date.now() - 601_000))).toBe(true)
})
