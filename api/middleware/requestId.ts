import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { inScope } from '../../src/platform/scope.ts'
import { readTraceparent } from '../../src/platform/traceparent.ts'

/** Shorter than any private key, API key, session secret or invitation token: such secrets must not reach the logs this way. */
const acceptable = /^[A-Za-z0-9._-]{8,40}$/

/**
 * Names each request: by the caller's `X-Request-Id` if it is harmless, otherwise by a new id. What is done for it has that id in its log lines and
 * rows, and continues the caller's trace.
 */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  const requestId = typeof given === 'string' && acceptable.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', requestId)
  const { traceparent } = request.headers
  const trace = readTraceparent(typeof traceparent === 'string' ? traceparent : null)
  inScope({ requestId, trace }, next)
}

export const requestId = (response: Response): string => String(response.getHeader('X-Request-Id'))
