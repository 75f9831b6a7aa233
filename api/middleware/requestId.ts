import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'

/** A private key of any chain is longer, and so are our own keys, sessions and invitations: none must get into our logs by this way. */
const acceptable = /^[A-Za-z0-9._-]{8,40}$/

/** Names each request: by the caller's own `X-Request-Id` where it is harmless, else by a new one. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  response.setHeader('X-Request-Id', typeof given === 'string' && acceptable.test(given) ? given : randomUUID())
  next()
}

export const requestId = (response: Response): string => String(response.getHeader('X-Request-Id'))
