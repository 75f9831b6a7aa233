import type { RequestHandler } from 'express'

/**
 * Reduces `application/json; charset=utf-8` and its likes to `application/json`. The validator compiles and keeps one
 * validator for each variant it meets, so a caller could otherwise fill the memory with them.
 */
export const canonicalContentType: RequestHandler = (request, _response, next) => {
  const given = request.headers['content-type']
  if (given !== undefined)
    request.headers['content-type'] =
      given.split(';')[0]?.trim().toLowerCase() === 'application/json' ? 'application/json' : 'application/octet-stream'
  next()
}
