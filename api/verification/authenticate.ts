import type { Request, RequestHandler } from 'express'
import type { Counter } from 'prom-client'
import type { Caller } from '../../src/accounts/caller.ts'
import { type Environment, hashOfKey, readKey } from '../../src/apiKeys/form.ts'
import type { KeyUse } from '../../src/apiKeys/keyUse.ts'
import { refuseUnapproved } from '../../src/members/businessApproval.ts'
import { networkOf } from '../../src/platform/addresses.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { KnownHashes } from '../../src/rateLimits/knownHashes.ts'
import type { Limit, RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import {
  findVerificationKey,
  keepVerificationKey,
  type VerificationKeyInUse,
} from '../../src/verification/findKey.ts'
import type { Operation } from '../contract.ts'
import { clientAddress } from '../middleware/clientAddress.ts'
import { onceIn } from '../middleware/confirm.ts'
import {
  countRequest,
  perBusiness,
  type RequestLimits,
  refuseCredential,
  refuseInvented,
  responseOf,
} from '../middleware/limits.ts'
import { operationOf } from '../middleware/observe.ts'
import { admit, noCredential, refuseAs } from '../middleware/outcomes.ts'
import { requestId } from '../middleware/requestId.ts'
import { allowOwnOrigin } from './cors.ts'

export interface KeyContext {
  db: Db
  limiter: RateLimiter
  requestLimits: RequestLimits & { uploads: number }
  refusals: Counter
  environment: Environment
  knownKeys: KnownHashes
  keyUse: KeyUse
}

/** Names this area's credential where a request has no credential. */
export const expectKey: RequestHandler = (request, _response, next) => {
  refuseAs(request, noCredential('Send a secret or publishable key as Authorization: Bearer'))
  next()
}

/** Checks the contract's credential, before the body is read: identity, rate, then what the key may do. */
export const keyHandlers = (ctx: KeyContext) => ({
  key: (request: Request) => admit(request, () => callerOf(ctx, request)),
})

async function callerOf(ctx: KeyContext, request: Request): Promise<Caller> {
  const [, text = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const read = readKey(text)
  if (read === null || read.prefix === 'ak') return refuseCredential(ctx, request, invalidKey())
  if (read.environment !== ctx.environment)
    return refuseCredential(ctx, request, environmentMismatch(read.environment, ctx.environment))
  await refuseInvented(ctx, request, ctx.knownKeys, hashOfKey(text))
  const key = await findVerificationKey(ctx, text)
  if (!key) return refuseCredential(ctx, request, invalidKey())
  const isPublic = key.kind === 'publishable'
  allowOwnOrigin(request, key)
  // A visitor's address is personal data of the person who is verified: no row keeps it.
  const address = isPublic ? null : clientAddress(request)
  ctx.keyUse.note(key.id, address)
  const operation = operationOf(request)
  if (!operation) throw new Error('the credential check ran for a request without an operation')
  const uploads = operation['x-upload'] ? [uploadsOf(key.businessId, ctx.requestLimits.uploads)] : []
  await countRequest(ctx, responseOf(request), [...uploads, ...limitsOf(ctx, request, key)])
  requireRight(ctx, key, operation)
  requireOrigin(key, request.headers.origin)
  const confirm = onceIn(async (tx) => {
    const now = await keepVerificationKey(tx, key.id)
    if (!now) throw invalidKey()
    requireRight(ctx, now, operation)
  })
  const label = `${key.prefix}… (${key.name})`
  return {
    businessId: key.businessId,
    scope: operation['x-scope'] === 'read' ? 'read' : 'write',
    business: { id: key.businessId, name: key.businessName, approval: key.approval },
    actor: {
      kind: 'api_key',
      id: key.id,
      label,
      address,
      requestId: requestId(responseOf(request)),
      confirm,
    },
    account: null,
    apiKey: null,
    isPublic,
  }
}

/**
 * Publishable keys have half of the business's limit, and each visitor a part of that: no visitor stops the
 * business's servers.
 */
function limitsOf(
  { requestLimits }: KeyContext,
  request: Request,
  { id, kind, businessId }: VerificationKeyInUse,
): Limit[] {
  const whole = perBusiness(businessId, requestLimits.perBusiness)
  if (kind === 'secret') return [whole]
  const visitor: Limit = {
    ...whole,
    name: 'visitor',
    of: `${id}:${networkOf(clientAddress(request))}`,
    max: requestLimits.perAddress,
  }
  return [visitor, { ...whole, name: 'publishable', max: Math.ceil(whole.max / 2) }, whole]
}

/** @throws ApiError 403 `business_not_approved`, `business_suspended`, `secret_key_required` */
function requireRight(
  { environment }: KeyContext,
  { approval, kind }: VerificationKeyInUse,
  operation: Operation,
): void {
  refuseUnapproved(approval, environment)
  if (operation['x-secret-key'] && kind !== 'secret')
    throw new ApiError(403, 'secret_key_required', 'A publishable key (pk_) may not do this')
}

/** Browsers name the web site that sends a request. @throws ApiError 403 `origin_not_allowed` */
function requireOrigin({ kind, origins }: VerificationKeyInUse, origin: string | undefined): void {
  if (kind !== 'publishable' || origin === undefined || origins.includes(origin)) return
  throw new ApiError(403, 'origin_not_allowed', 'This key does not name the web site that sent the request')
}

const uploadsOf = (id: string, max: number): Limit => ({ name: 'uploads', of: id, max, windowSeconds: 60 })

const invalidKey = () => new ApiError(401, 'Invalid API key', 'The key is unknown, revoked or expired')

const environmentMismatch = (ofKey: Environment, ofServer: Environment) =>
  new ApiError(
    403,
    'environment_mismatch',
    `This key is for the ${ofKey} environment; this server is ${ofServer}`,
  )
