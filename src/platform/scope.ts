import { AsyncLocalStorage } from 'node:async_hooks'

/** The request or job that work is done for. */
export interface Scope {
  /** Of the request that is answered, or that caused the job; null: none is known. */
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

/** Runs work on behalf of a request or job: its log lines name them, and the rows that it writes remember them. */
export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** Runs work that outlives the request or job that happens to start it. */
export const outOfScope = <T>(work: () => T): T => scopes.exit(work)
