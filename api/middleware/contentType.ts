import type { RequestHandler } from 'express'

/**
 * Reduces variants such as `application/json; charset=utf-8` to `application/json`. The validator compiles
 * and keeps one validator per variant, so a caller could fill the memory.
 */
export const canonicalContentType: RequestHandler = (request, _response, next) => {
  const given = request.headers['content-type']
  if (given !== undefined)
    request.headers['content-type'] =
      given.split(';')[0]?.trim().toLowerCase() === 'application/json'
        ? 'application/json'
        : 'application/octet-stream'
  next()
}
