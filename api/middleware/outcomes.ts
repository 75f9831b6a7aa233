import type { Request } from 'express'
import type { Caller } from '../../src/accounts/caller.ts'
import { isDatabaseAway } from '../../src/platform/db.ts'
import { ApiError } from '../../src/platform/errors.ts'

// The validator asks a security handler for yes or no, and words every no as a 401. What was found out stays here until the request is answered.

const callers = new WeakMap<Request, Caller>()
const refusals = new WeakMap<Request, ApiError>()

/** Runs what admits a request, and keeps who it is, or why it was refused. */
export async function admit(request: Request, find: () => Promise<Caller>): Promise<boolean> {
  try {
    callers.set(request, await find())
    return true
  } catch (cause) {
    // A database that is away must not look like a wrong key.
    refusals.set(request, cause instanceof ApiError ? cause : unexpected(cause))
    return false
  }
}

export const callerOf = (request: Request): Caller | undefined => callers.get(request)

/** What is said where no credential was sent at all, if not the specification's words. */
export const refuseAs = (request: Request, refusal: ApiError): void => void refusals.set(request, refusal)

/** Why a request was refused. */
export const refusalOf = (request: Request): ApiError => refusals.get(request) ?? noCredential()

/** The specification's words where no credential was sent. */
export const noCredential = (why = 'Send an API key as X-API-Key, or an access token as Authorization: Bearer'): ApiError =>
  new ApiError(401, 'Missing or invalid Authorization header', why)

/** What a caller hears of a failure that is not theirs. */
export const unexpected = (cause: unknown): ApiError =>
  isDatabaseAway(cause)
    ? new ApiError(503, 'unavailable', 'The service is not available right now', { retryAfterSeconds: 5, cause })
    : new ApiError(500, 'Internal server error', 'Something went wrong on our side; the request id helps us to find it', { cause })
