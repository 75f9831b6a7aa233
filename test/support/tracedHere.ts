import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Cause, inScope, readTraceparent } from '../../src/platform/telemetry/scope.ts'
import { startTracing } from '../../src/platform/telemetry/startTracing.ts'
import { setTracer } from '../../src/platform/telemetry/tracing.ts'
import { type ReceivedSpan, startCollector } from './otlp.ts'
import { waitFor } from './waitFor.ts'

/** Records the traces of this process. */
export interface TracedHere {
  /** Of the request below. */
  cause: Cause
  /** Runs work as the api does for a request that is recorded. */
  request<T>(work: () => Promise<T>): Promise<T>
  /** The first span of this name that is a part of that request's trace, or is linked to its span. */
  step(name: string): Promise<{ span: ReceivedSpan; how: 'part' | 'link' }>
  /** The first one that is linked. */
  linked(name: string): Promise<ReceivedSpan>
  stop(): Promise<void>
}

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

export async function tracedHere(): Promise<TracedHere> {
  const collector = await startCollector()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' }
  // The exporter reads its variables from the process.
  Object.assign(process.env, env)
  const stopTracing = await startTracing('test', createLog('test', 'silent'), env)
  for (const name of Object.keys(env)) delete process.env[name]
  const cause = { traceparent: `00-${traceId}-${spanId}-01`, requestId: 'request-of-a-row' }
  const isLinked = ({ links }: ReceivedSpan) =>
    links.some((link) => link.traceId === traceId && link.spanId === spanId)
  const named = (name: string) => collector.spans.filter((span) => span.name === name)
  return {
    cause,
    request: (work) =>
      inScope({ requestId: cause.requestId, trace: readTraceparent(cause.traceparent) }, work),
    async step(name) {
      const span = await waitFor(`a span ${name}`, async () =>
        named(name).find((each) => each.traceId === traceId || isLinked(each)),
      )
      return { span, how: span.traceId === traceId ? 'part' : 'link' }
    },
    linked: (name) => waitFor(`a span ${name} with a link`, async () => named(name).find(isLinked)),
    async stop() {
      await stopTracing?.()
      setTracer(null)
      await collector.close()
    },
  }
}
