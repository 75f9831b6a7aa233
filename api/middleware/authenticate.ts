import type { Request } from 'express'
import { authenticateApiKey, type Caller } from '../../src/accounts/apiKey.ts'
import type { Db } from '../../src/platform/db.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { Operation } from '../contract.ts'
import type { WarmUpKey } from '../warmUp.ts'

const callers = new WeakMap<Request, Caller>()
const failures = new WeakMap<Request, ApiError>()

/** The contract's security schemes. A handler that answers anything but true refuses the request. */
export function securityHandlers(ctx: { db: Db; warmUpKey: WarmUpKey }) {
  return {
    async apiKey(request: Request): Promise<boolean> {
      const key = request.headers['x-api-key']
      if (ctx.warmUpKey.value !== null && key === ctx.warmUpKey.value) return true
      const caller = typeof key === 'string' ? await authenticateApiKey(ctx, key).catch((cause) => keepFailure(request, cause)) : null
      if (caller) callers.set(request, caller)
      return caller !== null
    },
    /** No access token has ever been issued by this version, so none can be valid. */
    async bearer(): Promise<boolean> {
      return false
    },
  }
}

/** A database that is away must not look like a wrong key; the validator would make one status of every failure. */
function keepFailure(request: Request, cause: unknown): null {
  failures.set(request, new ApiError(503, 'unavailable', 'The service is not available right now', { retryAfterSeconds: 5, cause }))
  return null
}

/** Why a request was refused: what kept us from looking, or the 401 that the specification words for what was sent. */
export function unauthorized(request: Request): ApiError {
  const failure = failures.get(request)
  if (failure) return failure
  return request.headers['x-api-key'] === undefined
    ? new ApiError(401, 'Missing or invalid Authorization header', 'Send an API key as X-API-Key, or an access token as Authorization: Bearer')
    : new ApiError(401, 'Invalid API key', 'The API key is unknown, revoked or expired')
}

const noCaller: Caller = { businessId: '', scope: 'read' }

/**
 * The caller of a request, if the operation allows what the caller asks.
 * @throws ApiError 403 when the key's scope is too small
 */
export function authorize(request: Request, operation: Operation): Caller {
  if (operation['x-scope'] === 'public') return noCaller
  const caller = callers.get(request)
  if (!caller) throw unauthorized(request)
  if (operation['x-scope'] === 'write' && caller.scope !== 'write') {
    throw new ApiError(403, 'insufficient_scope', `This needs a key with the scope write (permission ${operation['x-permission']})`)
  }
  return caller
}
