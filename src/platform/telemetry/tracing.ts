import {
  type Cause,
  currentScope,
  inScope,
  readTraceparent,
  type TraceContext,
  writeTraceparent,
} from './scope.ts'

// Spans at the joints of the house: requests, jobs, calls to others, slow statements. Without an exporter
// nothing here does more than call the work; OpenTelemetry is loaded only with one (`startTracing.ts`).

export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export interface SpanOptions {
  kind?: SpanKind
  /** Never a secret, a body or a URL with a path: what an operator may read. */
  attributes?: Attributes
  /** Spans that this one is about without being a part of them: of a batch, or of an earlier try. */
  links?: readonly (string | null)[]
  /** Milliseconds since 1970; default: now. */
  startedAt?: number
}

/** An open span, or nothing where no trace is recorded. */
export interface Span {
  /** False: what is set is not kept, so that it need not be computed. */
  isRecorded: boolean
  /** What work below it continues; null: not traced. */
  trace: TraceContext | null
  set(attributes: Attributes): void
  rename(name: string): void
  /** Marks it as failed, with the class of the error. */
  fail(error: unknown): void
  end(): void
}

/** What the SDK does for the functions below. */
export interface Tracer {
  /** Statements that take longer have a span. */
  statementMs: number
  /**
   * Decides before anything is made for a span: most are not recorded.
   * @returns the context that unrecorded work has; null: record it
   */
  skip(parent: TraceContext | null): TraceContext | null
  /** Opens the span for which `skip` was called last, or one that is recorded with any sampler. */
  start(name: string, parent: TraceContext | null, links: readonly TraceContext[], options: SpanOptions): Span
}

/**
 * The variables of OpenTelemetry's specification that Cowry reads itself; its packages read those of the
 * exporter and the resource.
 */
export interface TracingSettings {
  sampler: { name: string; ratio: number; followsParent: boolean }
  batch: {
    maxQueueSize?: number
    maxExportBatchSize?: number
    scheduledDelayMillis?: number
    exportTimeoutMillis?: number
  }
}

/** One object, without closures: most requests and jobs have one. */
class Silent implements Span {
  readonly isRecorded = false
  readonly trace: TraceContext | null
  constructor(trace: TraceContext | null) {
    this.trace = trace
  }
  set(): void {}
  rename(): void {}
  fail(): void {}
  end(): void {}
}

const silent = (trace: TraceContext | null): Span => new Silent(trace)

let tracer: Tracer | null = null

/** @param always with any sampler: what it is linked to was recorded */
function start(
  by: Tracer,
  name: string,
  parent: TraceContext | null,
  options: SpanOptions,
  always?: TraceContext | null,
): Span {
  const skipped = always ? null : by.skip(parent)
  if (skipped) return silent(skipped)
  return by.start(name, parent, [...(always ? [always] : []), ...contextsOf(options.links)], options)
}

/** Set once by `startTracing`, and by tests. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** True with an exporter. */
export const isTracing = (): boolean => tracer !== null

/** True if work of the current scope is recorded. */
const isRecorded = (): boolean => tracer !== null && currentScope()?.trace?.traceFlags === 1

/** The `traceparent` to send to others; null outside a trace. */
export function currentTraceparent(): string | null {
  const trace = currentScope()?.trace
  return trace ? writeTraceparent(trace) : null
}

const contextsOf = (links: readonly (string | null)[] = []): TraceContext[] =>
  links.flatMap((each) => readTraceparent(each) ?? [])

/** Opens the span of a request, which its caller ends. Work for it runs in a scope with its `trace`. */
export const openSpan = (name: string, parent: TraceContext | null, options: SpanOptions): Span =>
  tracer ? start(tracer, name, parent, options) : silent(parent)

/** Runs a part of the work for a request or job in a span of its own; outside of one there is no span. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const scope = currentScope()
  if (!isRecorded() || !tracer || !scope) return work(silent(scope?.trace ?? null))
  return finished(start(tracer, name, scope.trace, options), scope.requestId, work)
}

/** Runs work without a request, such as reading a block, as a trace of its own. */
export function inTrace<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!tracer) return work(silent(null))
  return finished(start(tracer, name, null, options), null, work)
}

/**
 * Runs work for a row: on behalf of the request that made it, in its trace.
 * @param again a later try, or a row that has waited long: a trace of its own, linked to the row's
 */
export function onBehalf<T>(
  { traceparent, requestId }: Cause,
  name: string,
  options: SpanOptions & { again?: boolean },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = openOnBehalf(traceparent, name, options)
  return requestId === null && span.trace === null ? work(span) : finished(span, requestId, work)
}

/**
 * Opens the span of `onBehalf`, which its caller ends: for work that writes no row and no log line, and so
 * needs no scope.
 */
export function openOnBehalf(
  traceparent: string | null,
  name: string,
  options: SpanOptions & { again?: boolean },
): Span {
  const { again = false } = options
  const cause = readTraceparent(traceparent)
  if (!tracer || (again && cause?.traceFlags === 0)) return silent(cause)
  return start(tracer, name, again ? null : cause, options, again ? cause : null)
}

/** A row younger than this continues its trace; later work for it has traces of its own. */
const freshMs = 600_000
export const isOld = (createdAt: Date): boolean => Date.now() - createdAt.getTime() > freshMs

/** Records what has ended. @returns its `traceparent`; null where it is not recorded */
export function recordSpan(name: string, parent: TraceContext | null, options: SpanOptions): string | null {
  if (!tracer || !parent || parent.traceFlags !== 1) return parent && writeTraceparent(parent)
  const span = start(tracer, name, parent, options)
  span.end()
  return span.trace && writeTraceparent(span.trace)
}

/** Runs a statement; one that takes long has a span. Values are not recorded. */
export function timeStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
  if (!isRecorded() || !tracer) return run()
  const { statementMs } = tracer
  const started = performance.now()
  const ended = () => {
    const ms = performance.now() - started
    if (ms < statementMs) return
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.text': text.replace(/\s+/g, ' ').trim().slice(0, 500),
    }
    const [verb = 'statement'] = text.trim().split(/\s/, 1)
    recordSpan(verb.toLowerCase(), currentScope()?.trace ?? null, {
      kind: 'client',
      attributes,
      startedAt: Date.now() - ms,
    })
  }
  return run().finally(ended)
}

function finished<T>(span: Span, requestId: string | null, work: (span: Span) => Promise<T>): Promise<T> {
  const inside = () => inScope({ requestId, trace: span.trace }, () => work(span))
  return span.isRecorded ? ended(span, inside) : inside()
}

async function ended<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
