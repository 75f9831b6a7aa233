import type { Request, RequestHandler, Response } from 'express'
import type { Counter } from 'prom-client'
import type { Priority } from '../../src/platform/priority.ts'
import { accessLogOf, type Log } from '../../src/platform/telemetry/log.ts'
import type { Metrics } from '../../src/platform/telemetry/metrics.ts'
import { inScope, readTraceparent } from '../../src/platform/telemetry/scope.ts'
import { openSpan, type Span } from '../../src/platform/telemetry/tracing.ts'
import type { Operation } from '../contract.ts'
import { callerOf } from './outcomes.ts'
import { requestId } from './requestId.ts'

/**
 * Counts each request but probes under its operation, and writes one access line for it. URLs are not logged:
 * people paste keys into them. What is done for it has its id in log lines and rows, and continues the
 * caller's trace.
 */
export function observeRequests(
  ctx: { log: Log; metrics: Metrics; priority: Pick<Priority, 'begin'>; brokenAnswers: Counter },
  operations: readonly Operation[],
): RequestHandler {
  const accessLog = accessLogOf(ctx.log)
  const requests = ctx.metrics.counter('http_requests_total', 'HTTP requests', ['operation', 'status'])
  const seconds = ctx.metrics.histogram(
    'http_request_seconds',
    'Duration of HTTP requests',
    ['operation'],
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  // The first failure of an operation is an increase from 0.
  for (const { operationId: operation, responses } of operations) {
    for (const status of [Object.keys(responses).find((each) => /^[123]/.test(each)) ?? '200', '500'])
      requests.inc({ operation, status }, 0)
    ctx.brokenAnswers.inc({ operation }, 0)
  }
  // Series of a histogram are many: those of an operation come with its first request.
  seconds.zero({ operation: 'none' })
  return (request, response, next) => {
    const started = performance.now()
    const id = requestId(response)
    const span = spanOf(request)
    const end = ctx.priority.begin()
    endsOfWork.set(request, end)
    response.once('close', end)
    response.on('finish', () => {
      // They would hide the share of requests that fail.
      if (isProbe(request)) return
      const operation = operationOf(request)?.operationId ?? 'none'
      const duration = (performance.now() - started) / 1000
      requests.inc({ operation, status: response.statusCode })
      // The time of a request that waited is not the time of the API.
      if (endsOfWork.has(request)) seconds.observe({ operation }, duration, span?.trace)
    })
    // The last event of every response, also of one whose caller has gone.
    response.once('close', () => {
      const ms = Math.round((performance.now() - started) * 10) / 10
      accessLog[isProbe(request) ? 'debug' : 'info'](
        accessLine(request, response, { id, traceId: span?.trace?.traceId, ms }),
        'request',
      )
      if (span?.isRecorded) endSpan(span, request, response, id)
    })
    inScope({ requestId: id, trace: span?.trace ?? null }, next)
  }
}

/**
 * Operation, business and credential; not the person or the address, which the audit log has. What is
 * undefined is left out.
 */
function accessLine(
  request: Request,
  response: Response,
  { id, traceId, ms }: { id: string; traceId: string | undefined; ms: number },
): object {
  const caller = callerOf(request)
  return {
    requestId: id,
    traceId,
    method: request.method,
    operation: operationOf(request)?.operationId ?? 'none',
    businessId: caller?.businessId || undefined,
    keyId: caller?.actor.kind === 'api_key' ? caller.actor.id : undefined,
    status: response.statusCode,
    ms,
    aborted: isWhole(response) ? undefined : true,
  }
}

/** Probes are in no trace. */
function spanOf(request: Request): Span | null {
  if (isProbe(request)) return null
  const { traceparent } = request.headers
  const parent = readTraceparent(typeof traceparent === 'string' ? traceparent : null)
  return openSpan(request.method, parent, {
    kind: 'server',
    attributes: { 'http.request.method': request.method },
  })
}

/** The attributes are known when the contract has matched the request. */
function endSpan(span: Span, request: Request, response: Response, requestId: string): void {
  const operation = operationOf(request)
  if (operation) span.rename(operation.operationId)
  const caller = callerOf(request)
  span.set({
    'http.route': (request as { openapi?: { openApiRoute?: string } }).openapi?.openApiRoute,
    'http.response.status_code': response.statusCode,
    'cowry.request_id': requestId,
    'cowry.business.id': caller?.businessId || null,
  })
  if (response.statusCode >= 500) span.fail(String(response.statusCode))
  span.end()
}

/** A WebSocket's response ends with 101. */
const isWhole = ({ writableFinished, statusCode }: Response): boolean =>
  writableFinished || statusCode === 101

/** Orchestrators probe every few seconds. */
const isProbe = ({ path }: Request): boolean => path === '/health/live' || path === '/health/ready'

const endsOfWork = new WeakMap<Request, () => void>()

/** The request's work is over: background work need not make way for it, and its duration is not measured. */
export function endWork(request: Request): void {
  endsOfWork.get(request)?.()
  endsOfWork.delete(request)
}

/** The contract's operation for a request; undefined before validation, or for an unknown path. */
export function operationOf(request: Request): Operation | undefined {
  return (request as { openapi?: { schema?: Operation } }).openapi?.schema
}

/** The path parameters of a request. */
export function pathParamsOf(request: Request): Record<string, string> {
  return (request as { openapi?: { pathParams?: Record<string, string> } }).openapi?.pathParams ?? {}
}
