import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'

const acceptable = /^[A-Za-z0-9._-]{8,128}$/

/** Names each request: by the caller's own `X-Request-Id` where it is harmless, else by a new one. */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.headers['x-request-id']
  response.setHeader('X-Request-Id', typeof given === 'string' && acceptable.test(given) ? given : randomUUID())
  next()
}

export const requestId = (response: Response): string => String(response.getHeader('X-Request-Id'))
