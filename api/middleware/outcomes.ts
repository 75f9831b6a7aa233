import type { Request } from 'express'
import type { Caller } from '../../src/accounts/caller.ts'
import { isDatabaseAway } from '../../src/platform/database/databaseAway.ts'
import { ApiError, messageOf, publicTextOf } from '../../src/platform/errors.ts'

// The validator's security handlers return only true or false, and every false becomes a 401. Keep the caller
// or the reason here until the request is answered.

const callers = new WeakMap<Request, Caller>()
const refusals = new WeakMap<Request, ApiError>()

/** Runs a credential check, and keeps the caller or the reason for the refusal. */
export async function admit(request: Request, find: () => Promise<Caller>): Promise<boolean> {
  try {
    callers.set(request, await find())
    return true
  } catch (cause) {
    // A database outage must not count as a wrong key.
    refusals.set(request, cause instanceof ApiError ? cause : unexpected(cause))
    return false
  }
}

export const callerOf = (request: Request): Caller | undefined => callers.get(request)

/** Replaces the error for a request without a credential. */
export const refuseAs = (request: Request, refusal: ApiError): void => void refusals.set(request, refusal)

/** The reason why a request was refused. */
export const refusalOf = (request: Request): ApiError =>
  refusals.get(request) ?? noCredential(cureOf(request.headers.authorization))

/** The specification's message for a missing credential. */
export const noCredential = (
  why = 'Send an API key as X-API-Key, or an access token as Authorization: Bearer',
): ApiError => new ApiError(401, 'Missing or invalid Authorization header', why)

/** What to do about an Authorization header that holds no access token; undefined where there is none. */
function cureOf(authorization: string | undefined): string | undefined {
  const text = authorization?.trim() ?? ''
  if (isKeyLike(text)) return keyIsNoToken
  if (/^basic\b/i.test(text))
    return 'A password is not sent with each request: log in with POST /api/v1/auth/login, and send its accessToken as Authorization: Bearer'
  if (isTokenLike(text)) return 'The access token needs its scheme: Authorization: Bearer, then the token'
  return undefined
}

/** True for what begins as a key does: in a place for other things, it is meant as one. */
export const isKeyLike = (text: string): boolean => /^(ak|sk|pk)_/.test(text)

/** True for what has the three parts of an access token. */
export const isTokenLike = (text: string): boolean => /^(bearer\s+)?eyJ[\w-]*\.[\w-]+\.[\w-]*$/i.test(text)

export const keyIsNoToken = 'This is an API key: send it as X-API-Key, not as Authorization'

/** The error shown to a caller for an internal failure. */
export const unexpected = (cause: unknown): ApiError =>
  isDatabaseAway(cause)
    ? new ApiError(503, 'unavailable', 'The service is not available right now', {
        retryAfterSeconds: 5,
        internalText: messageOf(cause),
        cause,
      })
    : new ApiError(500, 'Internal server error', publicTextOf(cause), {
        internalText: messageOf(cause),
        cause,
      })
