import { AsyncLocalStorage } from 'node:async_hooks'

/** The request or job that work is done for. */
export interface Scope {
  /** Of the request that is answered, or that caused the job; null: unknown. */
  requestId: string | null
  /** The current span, or the caller's; null: not traced. */
  trace: TraceContext | null
}

/** Identifies a span, as in W3C Trace Context. */
export interface TraceContext {
  traceId: string
  spanId: string
  /** 1: sampled. */
  traceFlags: number
}

const scopes = new AsyncLocalStorage<Scope>()

/** The current scope; undefined in background work. */
export const currentScope = (): Scope | undefined => scopes.getStore()

/**
 * Runs work on behalf of a request or job: its log lines name them, and the rows that it writes remember
 * them.
 */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** Runs work that outlives the request or job that happens to start it. */
export const outOfScope = <T>(work: () => T): T => scopes.exit(work)

/** W3C Trace Context, level 1. Versions after 00 may add fields behind these, except the forbidden ff. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zero = /^0+$/

/** @returns null for what is not a valid `traceparent`, as for a missing one */
export function readTraceparent(text: string | null | undefined): TraceContext | null {
  if (!text) return null
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (zero.test(traceId) || zero.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

export const writeTraceparent = ({ traceId, spanId, traceFlags }: TraceContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & 1}`

/** What a row remembers of its cause, so that a later process continues on behalf of it. */
export interface Cause {
  traceparent: string | null
  requestId: string | null
}

const noCause: Cause = { traceparent: null, requestId: null }

/** The current request or job as a cause. */
export function currentCause(): Cause {
  const scope = currentScope()
  return scope
    ? { traceparent: scope.trace && writeTraceparent(scope.trace), requestId: scope.requestId }
    : noCause
}
