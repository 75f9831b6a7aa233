import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'

/**
 * Shorter than any private key, API key, session secret or invitation token: such secrets must not reach the
 * logs this way.
 */
const acceptable = /^[A-Za-z0-9._-]{8,40}$/

/** Names each request: by the caller's `X-Request-Id` if it is harmless, otherwise by a new id. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  response.setHeader(
    'X-Request-Id',
    typeof given === 'string' && acceptable.test(given) ? given : randomUUID(),
  )
  next()
}

export const requestId = (response: Response): string => String(response.getHeader('X-Request-Id'))
