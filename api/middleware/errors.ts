import type { ErrorRequestHandler, Request, Response } from 'express'
import { ApiError, type FieldError, shownField } from '../../src/platform/errors.ts'
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
  errors?: { path?: string; message?: string }[]
  headers?: Record<string, string>
}

/** Turns any error into the contract's error body, without internal details. */
export function errorHandler(ctx: { log: Log }): ErrorRequestHandler {
  return (failure: unknown, request, response, next) => {
    if (response.headersSent) {
      next(failure)
      return
    }
    const error = failure instanceof ApiError ? failure : fromHttp(failure as HttpFailure, request)
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
function detailsOf({ fields, missing, businesses, credit }: ApiError): object {
  return {
    ...(fields && { fields }),
    ...(missing && { missing }),
    ...(businesses && { businesses }),
    ...credit,
  }
}

function fromHttp(failure: HttpFailure, request: Request): ApiError {
  switch (failure.status) {
    case 400:
      return fromValidator(failure)
    case 401:
      return refusalOf(request)
    case 404:
      return new ApiError(404, 'Not found', 'There is no such path')
    case 405:
      return new ApiError(405, 'Method not allowed', `${request.method} is not possible here`)
    case 415:
      return unsupportedType()
    default:
      return unexpected(failure)
  }
}

/**
 * Turns the validator's paths (`/body/metadata/orderId`) into fields of the contract (`metadata.orderId`).
 */
function fromValidator(failure: HttpFailure): ApiError {
  const inBody = (failure.errors ?? []).every((each) => each.path?.startsWith('/body'))
  const fields: FieldError[] = []
  for (const { path = '', message = 'is not valid' } of failure.errors ?? []) {
    if (!/^\/(body|query|params|headers|cookies)(\/|$)/.test(path)) continue
    const given = path.split('/').slice(2)
    const field = given.map(shownField).join('.') || 'body'
    if (!fields.some((known) => known.field === field))
      fields.push({ field, message: plainWords(message, given.join('.')) })
  }
  return new ApiError(
    400,
    inBody ? 'Invalid request body' : 'Invalid request parameters',
    fields.length > 0
      ? fields.map((each) => `${each.field}: ${each.message}`).join('; ')
      : 'The request is not valid',
    { fields },
  )
}

function plainWords(message: string, field: string): string {
  if (message.includes('additional properties') || message.startsWith('Unknown query parameter'))
    return 'is not a known field'
  if (message.startsWith('must have required property')) return 'is required'
  if (message.includes('^(0|[1-9][0-9]{0,17})'))
    return 'must be a decimal number such as 25.5, without sign or exponent'
  if (message.includes('^[A-Z]{3}$')) return 'must be a currency code of three capital letters'
  return message.replace(`'${field}' `, '')
}
