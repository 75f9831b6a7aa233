import { currentScope, type TraceContext } from './scope.ts'

/** W3C Trace Context, level 1. Versions after 00 may add fields behind these, except the forbidden ff. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const zero = /^0+$/

/** @returns null for what is not a valid `traceparent`, as for none */
export function readTraceparent(text: string | null | undefined): TraceContext | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(text ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (zero.test(traceId) || zero.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

export const writeTraceparent = ({ traceId, spanId, traceFlags }: TraceContext): string => `00-${traceId}-${spanId}-0${traceFlags & 1}`

/** What a row remembers of its cause, so that a later process continues on behalf of it. */
export interface Cause {
  traceparent: string | null
  requestId: string | null
}

const noCause: Cause = { traceparent: null, requestId: null }

/** The current request or job as a cause. */
export function currentCause(): Cause {
  const scope = currentScope()
  return scope ? { traceparent: scope.trace && writeTraceparent(scope.trace), requestId: scope.requestId } : noCause
}
