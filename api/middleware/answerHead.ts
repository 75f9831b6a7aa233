import type { Request, RequestHandler } from 'express'

const heads = new WeakSet<Request>()

/**
 * Handles HEAD as GET: the same checks, status and headers. Node sends no body in its answer, as it made the
 * response for HEAD.
 */
export const answerHead: RequestHandler = (request, _response, next) => {
  if (request.method === 'HEAD') {
    heads.add(request)
    request.method = 'GET'
  }
  next()
}

/** True for a request that wants no body: a stream is not started for it. */
export const isHead = (request: Request): boolean => heads.has(request)
