import type { ErrorRequestHandler, Request, Response } from 'express'
import { ApiError, codedFields } from '../../src/platform/errors.ts'
import { scrub } from '../../src/platform/secrets.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import { isStandstill } from '../../src/txmgr/pause.ts'
import { unsupportedType } from './jsonBody.ts'
import { refusalOf, unexpected } from './outcomes.ts'
import { requestId } from './requestId.ts'
import { sendUnread } from './sendUnread.ts'

/** An error of express or the validator. */
interface HttpFailure {
  status?: number
  message?: string
  headers?: Record<string, string>
}

/** Turns any error into the contract's error body, without internal details. */
export function errorHandler(ctx: {
  log: Log
  /** The text for a path that does not exist. */
  noSuchPath?: (path: string) => string
}): ErrorRequestHandler {
  return (failure: unknown, request, response, next) => {
    if (response.headersSent) {
      next(failure)
      return
    }
    const error =
      failure instanceof ApiError ? failure : fromHttp(failure as HttpFailure, request, ctx.noSuchPath)
    const id = requestId(response)
    if (isStandstill(error) || error.error === 'pricing_not_configured')
      ctx.log.info({ requestId: id, error: error.error }, `request refused: ${error.message}`)
    else if (error.status >= 500) ctx.log.error({ requestId: id, err: failure }, 'request failed')
    if (error.status === 405) nameMethods(response, failure as HttpFailure)
    if (error.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', String(error.retryAfterSeconds))
    const { message, ...common } = errorBody(error, id)
    const asProblem =
      request.accepts(['application/json', 'application/problem+json']) === 'application/problem+json'
    const body = asProblem
      ? {
          type: 'about:blank',
          title: error.error,
          status: error.status,
          ...(message ? { detail: message } : {}),
          ...common,
        }
      : { ...common, ...(message ? { message } : {}) }
    response.status(error.status).type(asProblem ? 'application/problem+json' : 'application/json')
    // The body may quote the caller, and callers put keys in unexpected places.
    sendUnread(request, response, scrub(JSON.stringify(body)))
  }
}

/** The contract's error body: the one place where the API shows the text of an error, the public one. */
export const errorBody = (error: ApiError, requestId: string) => ({
  error: error.error,
  requestId,
  ...detailsOf(error),
  ...(error.publicText === error.error ? {} : { message: error.publicText }),
})

/** Names the methods of the path. HEAD is answered as GET. */
function nameMethods(response: Response, { headers }: HttpFailure): void {
  if (headers?.Allow !== undefined)
    response.setHeader('Allow', headers.Allow.replace(/\bGET\b(?!, HEAD)/, 'GET, HEAD'))
}

/** An error's optional details. */
function detailsOf(error: ApiError): object {
  const { fields, missing, businesses, credit } = error
  return {
    ...(fields && { fields: codedFields(error) }),
    ...(missing && { missing }),
    ...(businesses && { businesses }),
    ...credit,
  }
}

function fromHttp(
  failure: HttpFailure,
  request: Request,
  noSuchPath = (_path: string) => 'There is no such path',
): ApiError {
  switch (failure.status) {
    case 400:
      return new ApiError(400, 'Invalid request parameters', 'The request is not valid')
    case 401:
      return refusalOf(request)
    case 404:
      return new ApiError(404, 'Not found', noSuchPath(request.path))
    case 405:
      return new ApiError(
        405,
        'Method not allowed',
        `${request.method} is not possible here${failure.headers?.Allow ? `; possible: ${failure.headers.Allow}` : ''}`,
      )
    case 415:
      return unsupportedType()
    default:
      return unexpected(failure)
  }
}
