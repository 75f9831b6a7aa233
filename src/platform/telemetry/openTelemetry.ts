import { randomBytes } from 'node:crypto'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { scrub } from '../secrets.ts'
import { pause } from '../wait.ts'
import type { Log } from './log.ts'
import type { TraceContext } from './scope.ts'
import type { Attributes, Span, SpanOptions, Tracer, TracingSettings } from './tracing.ts'

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
}

/** A collector that does not answer must not hold up the end of the process for longer. */
const stopMs = 2000
const warnEveryMs = 60_000

/**
 * The tracer of a process: OpenTelemetry's SDK with an exporter of OTLP (http/protobuf), which reads
 * `OTEL_EXPORTER_OTLP_*` itself.
 */
export function createTracer(
  process: string,
  { sampler, batch }: TracingSettings,
  statementMs: number,
  log: Log,
): { tracer: Tracer; stop(): Promise<void> } {
  reportFailures(log)
  const own = resourceFromAttributes({
    // `cowry` runs all of them in one process.
    'service.name': process === 'cowry' ? process : `cowry-${process}`,
    'service.namespace': 'cowry',
  })
  const resource = defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...batch })
  const random = createRandomDigits()
  /** Of the trace that was decided about last. */
  let traceId: string | null = null
  const idGenerator = {
    generateTraceId() {
      const known = traceId
      traceId = null
      return known ?? random(traceDigits)
    },
    generateSpanId: () => random(spanDigits),
  }
  // The decision is made below, without the SDK's span that records nothing and its attributes.
  const provider = new TracerProvider({
    resource,
    sampler: new AlwaysOnSampler(),
    spanProcessors: [processor],
    idGenerator,
  })
  const sdk = provider.getTracer('cowry')
  const isSampled = samplerOf(sampler)
  return {
    tracer: {
      statementMs,
      skip(parent) {
        const of = parent?.traceId ?? random(traceDigits)
        if (isSampled(parent, of)) {
          traceId = of
          return null
        }
        return parent?.traceFlags === 0 ? parent : { traceId: of, spanId: random(spanDigits), traceFlags: 0 }
      },
      start(name, parent, links, { kind = 'internal', attributes = {}, startedAt }) {
        const options = {
          kind: kinds[kind],
          attributes: clean(attributes),
          links: links.map((context) => ({ context: { ...context, isRemote: true } })),
          ...(startedAt !== undefined && { startTime: new Date(startedAt) }),
        }
        const span = spanOf(sdk.startSpan(name, options, contextOf(parent)))
        traceId = null
        return span
      },
    },
    async stop() {
      const ended = new AbortController()
      const stopped = provider.shutdown().catch(() => {})
      await Promise.race([stopped.finally(() => ended.abort()), pause(stopMs, ended.signal)])
    },
  }
}

const [traceDigits, spanDigits] = [32, 16]

/**
 * Hexadecimal digits for many ids are made at once: most ids belong to traces that are not recorded, and the
 * SDK's generator takes longer than all else that is done for these.
 */
function createRandomDigits(): (count: number) => string {
  let digits = ''
  let used = 0
  return (count) => {
    if (used + count > digits.length) {
      digits = randomBytes(4096).toString('hex')
      used = 0
    }
    used += count
    return digits.slice(used - count, used)
  }
}

const contextOf = (parent: TraceContext | null): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT

function spanOf(span: SdkSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    isRecorded: true,
    trace: { traceId, spanId, traceFlags },
    set: (attributes: Attributes) => void span.setAttributes(clean(attributes)),
    rename: (name: string) => void span.updateName(name),
    fail(error: unknown) {
      span.setAttributes({ 'error.type': typeOf(error) })
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => span.end(),
  }
}

/**
 * The class and code of an error, or a status. Its message may quote a caller or a node, and is in the log.
 */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : typeof error
  const { code, error: stable } = error as { code?: unknown; error?: unknown }
  const detail = [code, stable].find((each) => typeof each === 'string' && /^[\w.-]{1,60}$/.test(each))
  return detail === undefined ? error.name : `${error.name} ${detail}`
}

/** Without what is not known, and with credentials blanked. */
function clean(attributes: SpanOptions['attributes'] = {}): Record<string, string | number | boolean> {
  const kept: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue
    kept[name] = typeof value === 'string' ? scrub(value) : value
  }
  return kept
}

/** As `ParentBasedSampler` and the samplers of roots. */
export function samplerOf({
  name,
  ratio,
  followsParent,
}: TracingSettings['sampler']): (parent: TraceContext | null, traceId: string) => boolean {
  const decide = name === 'traceidratio' ? byRatio(ratio) : () => name === 'always_on'
  return (parent, traceId) => (followsParent && parent ? parent.traceFlags === 1 : decide(traceId))
}

/**
 * Decides as `TraceIdRatioBasedSampler`, which checks each id before: that takes longer than all else that is
 * done for a span that is not recorded.
 * @returns takes 32 hexadecimal digits
 */
function byRatio(ratio: number): (traceId: string) => boolean {
  const bound = ratio === 1 ? 2 ** 32 : Math.floor(ratio * (2 ** 32 - 1))
  return (traceId) => {
    let sum = 0
    for (let at = 0; at < traceDigits; at += 8) sum ^= Number.parseInt(traceId.slice(at, at + 8), 16)
    return sum >>> 0 < bound
  }
}

/** A collector that refuses spans is named in the log, at most once a minute. */
function reportFailures(log: Log): void {
  let warnAt = 0
  const report = (message: string) => {
    if (Date.now() < warnAt) return
    warnAt = Date.now() + warnEveryMs
    log.warn({ err: scrub(message).slice(0, 500) }, 'spans were not exported')
  }
  diag.setLogger(
    { error: report, warn: report, info() {}, debug() {}, verbose() {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
