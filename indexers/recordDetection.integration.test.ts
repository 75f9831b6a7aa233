import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { createLog } from '../src/platform/telemetry/log.ts'
import { startTracing } from '../src/platform/telemetry/startTracing.ts'
import { currentTraceparent, inTrace, setTracer } from '../src/platform/telemetry/tracing.ts'
import type { WatchPurpose } from '../src/watches/purposes.ts'
import { type Collector, startCollector } from '../test/support/otlp.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { recordDetection } from './recordDetection.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const traceparent = `00-${traceId}-${spanId}-01`
const rowOf = (purpose: WatchPurpose) => ({
  id: 'd',
  subjectId: 's',
  businessId: 'b',
  isUnknownToken: false,
  requestId: null,
  traceparent,
  purpose,
})

let collector: Collector
let stop: (() => Promise<void>) | null

beforeAll(async () => {
  collector = await startCollector()
  // The exporter reads its variables from the process.
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' }
  Object.assign(process.env, env)
  stop = await startTracing('test', createLog('test', 'silent'), env)
  for (const name of Object.keys(env)) delete process.env[name]
})
afterEach(() => void collector.spans.splice(0))
afterAll(async () => {
  await stop?.()
  setTracer(null)
  await collector?.close()
})

/** Records a detection in a block. */
async function detected(purpose: WatchPurpose) {
  const [block, given] = await inTrace('commit blocks', {}, async () => [
    currentTraceparent(),
    recordDetection(rowOf(purpose), 'seen'),
  ])
  const span = await waitFor(
    'both spans',
    async () => collector.spans.length === 2 && collector.spans.find(({ name }) => name === 'detection seen'),
  )
  return { span, block: block?.split('-') ?? [], given }
}

test('a payment to a session is a part of the session’s trace, linked to its block', async () => {
  const { span, block, given } = await detected('session')
  expect([span.traceId, span.parentId, span.links]).toEqual([
    traceId,
    spanId,
    [{ traceId: block[1], spanId: block[2] }],
  ])
  expect(given).toBe(`00-${traceId}-${span.spanId}-01`)
})

test.each<WatchPurpose>(['monitor', 'collection', 'suspense'])(
  'what a watch of purpose %s sees is a part of its block',
  async (purpose) => {
    const { span, block, given } = await detected(purpose)
    expect([span.traceId, span.parentId, span.links]).toEqual([block[1], block[2], [{ traceId, spanId }]])
    expect(given).toBe(`00-${block[1]}-${span.spanId}-01`)
  },
)
