import type { Request, RequestHandler } from 'express'
import type { Counter } from 'prom-client'
import type { Log } from '../../src/platform/log.ts'
import type { Metrics } from '../../src/platform/metrics.ts'
import type { Priority } from '../../src/platform/priority.ts'
import type { Operation } from '../contract.ts'
import { requestId } from './requestId.ts'

/** Counts and logs each request under its operation. URLs are not logged: people paste keys into them. */
export function observeRequests(
  ctx: { log: Log; metrics: Metrics; priority: Pick<Priority, 'begin'>; brokenAnswers: Counter },
  operations: readonly Operation[],
): RequestHandler {
  const requests = ctx.metrics.counter('http_requests_total', 'HTTP requests', ['operation', 'status'])
  const seconds = ctx.metrics.histogram(
    'http_request_seconds',
    'Duration of HTTP requests',
    ['operation'],
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  // The first failure of an operation is an increase from 0.
  for (const { operationId: operation, responses } of operations) {
    for (const status of [Object.keys(responses).find((each) => /^[123]/.test(each)) ?? '200', '500']) requests.inc({ operation, status }, 0)
    ctx.brokenAnswers.inc({ operation }, 0)
  }
  // Series of a histogram are many: those of an operation come with its first request.
  seconds.zero({ operation: 'none' })
  return (request, response, next) => {
    const started = performance.now()
    const end = ctx.priority.begin()
    endsOfWork.set(request, end)
    response.once('close', end)
    response.on('finish', () => {
      const operation = operationOf(request)?.operationId ?? 'none'
      const duration = (performance.now() - started) / 1000
      requests.inc({ operation, status: response.statusCode })
      // The time of a request that waited says nothing about the API.
      if (endsOfWork.has(request)) seconds.observe({ operation }, duration)
      ctx.log.debug(
        { requestId: requestId(response), method: request.method, path: pathOf(request), operation, status: response.statusCode, seconds: duration },
        'request',
      )
    })
    next()
  }
}

const endsOfWork = new WeakMap<Request, () => void>()

/** The request's work is over: background work need not make way for it, and its duration is not measured. */
export function endWork(request: Request): void {
  endsOfWork.get(request)?.()
  endsOfWork.delete(request)
}

/** The contract's path template, with parameter names instead of values. */
const pathOf = (request: Request): string | null => (request as { openapi?: { openApiRoute?: string } }).openapi?.openApiRoute ?? null

/** The contract's operation for a request; undefined before validation, or for an unknown path. */
export function operationOf(request: Request): Operation | undefined {
  return (request as { openapi?: { schema?: Operation } }).openapi?.schema
}

/** The path parameters of a request. */
export function pathParamsOf(request: Request): Record<string, string> {
  return (request as { openapi?: { pathParams?: Record<string, string> } }).openapi?.pathParams ?? {}
}
