import type { IncomingHttpHeaders } from 'node:http'
import type { Request } from 'express'
import type { Counter } from 'prom-client'
import {
  holderOf,
  readAccessToken,
  requireChosenBusiness,
  type TokenContext,
} from '../../src/accounts/accessToken.ts'
import type { Caller } from '../../src/accounts/caller.ts'
import type { FactorPolicy } from '../../src/accounts/factor.ts'
import { requireFreshFactor } from '../../src/accounts/freshFactor.ts'
import { keepStanding } from '../../src/accounts/keepStanding.ts'
import { requireFactor } from '../../src/accounts/secondFactor.ts'
import { actorOf } from '../../src/accounts/signIn.ts'
import { findKey, type KeyInUse, keepKey } from '../../src/apiKeys/findKey.ts'
import { type Environment, environmentOf, hashOfKey } from '../../src/apiKeys/form.ts'
import type { KeyUse } from '../../src/apiKeys/keyUse.ts'
import { includesRole } from '../../src/members/role.ts'
import { ApiError, notFound } from '../../src/platform/errors.ts'
import { isUuid } from '../../src/platform/ids.ts'
import type { KnownHashes } from '../../src/rateLimits/knownHashes.ts'
import type { RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import type { Operation } from '../contract.ts'
import {
  requireAllowedAddress,
  requireApproval,
  requireBusiness,
  requireKeyPermission,
  requireNoLessThan,
  requireRole,
} from './authorize.ts'
import { clientAddress } from './clientAddress.ts'
import { onceIn } from './confirm.ts'
import {
  countRequest,
  perAddress,
  perBusiness,
  perKey,
  type RequestLimits,
  refuseCredential,
  refuseInvented,
  responseOf,
} from './limits.ts'
import { operationOf } from './observe.ts'
import { admit, callerOf, isKeyLike, isTokenLike, keyIsNoToken, noCredential, refusalOf } from './outcomes.ts'
import { requestId } from './requestId.ts'

export interface CredentialContext extends TokenContext {
  limiter: RateLimiter
  requestLimits: RequestLimits
  refusals: Counter
  environment: Environment
  knownKeys: KnownHashes
  keyUse: KeyUse
  factorPolicy: FactorPolicy
}

/**
 * Checks the contract's two credentials, before the body is read: identity, network, rate, then permission.
 * With both credentials, the key counts.
 */
export function credentialHandlers(ctx: CredentialContext) {
  return {
    apiKey: (request: Request) => admit(request, () => callerOfKey(ctx, request)),
    bearer: async (request: Request) =>
      request.headers['x-api-key'] === undefined && admit(request, () => callerOfToken(ctx, request)),
  }
}

/**
 * Checks a credential that came after the headers, as if it had been one of them.
 * @throws ApiError
 */
export async function callerOfLateCredential(
  ctx: CredentialContext,
  request: Request,
  credential: IncomingHttpHeaders,
): Promise<Caller> {
  Object.assign(request.headers, credential)
  const find = request.headers['x-api-key'] === undefined ? callerOfToken : callerOfKey
  if (!(await admit(request, () => find(ctx, request)))) throw refusalOf(request)
  const caller = callerOf(request)
  if (!caller) throw refusalOf(request)
  return caller
}

async function callerOfKey(ctx: CredentialContext, request: Request): Promise<Caller> {
  const text = request.headers['x-api-key']
  if (typeof text !== 'string') throw invalidKey()
  const address = clientAddress(request)
  const environment = environmentOf(text)
  if (environment === null) return refuseCredential(ctx, request, mistypedKey(text))
  if (environment !== ctx.environment)
    return refuseCredential(
      ctx,
      request,
      new ApiError(
        403,
        'environment_mismatch',
        `This key is for the ${environment} environment; this deployment is ${ctx.environment}`,
      ),
    )
  await refuseInvented(ctx, request, ctx.knownKeys, hashOfKey(text))
  const key = await findKey(ctx, text)
  if (!key) return refuseCredential(ctx, request, invalidKey())
  try {
    requireAllowedAddress(key.allowedAddresses, address)
  } catch (error) {
    // Check this before the owner's limit: a finder of a leaked key must not use the limit up.
    return refuseCredential(ctx, request, error)
  }
  ctx.keyUse.note(key.id, address)
  const limits = key.requestsPerMinute === null ? [] : [perKey(key.id, key.requestsPerMinute)]
  await countRequest(ctx, responseOf(request), [
    ...limits,
    perBusiness(key.businessId, ctx.requestLimits.perBusiness),
  ])
  const operation = operationFor(request)
  const business = businessOf(key)
  requireApproval(business, ctx.environment, operation)
  requireKeyPermission(key, operation)
  const confirm = onceIn(async (tx) => {
    const now = await keepKey(tx, key.id)
    if (!now) throw invalidKey()
    requireAllowedAddress(now.allowedAddresses, address)
    requireApproval(businessOf(now), ctx.environment, operation)
    requireKeyPermission(now, operation)
  })
  return {
    businessId: key.businessId,
    scope: key.scope,
    business,
    actor: {
      kind: 'api_key',
      id: key.id,
      label: `${key.prefix}… (${key.name})`,
      address,
      requestId: requestId(responseOf(request)),
      confirm,
    },
    account: null,
    apiKey: key,
  }
}

const businessOf = ({ businessId, businessName, approval }: KeyInUse) => ({
  id: businessId,
  name: businessName,
  approval,
})

async function callerOfToken(ctx: CredentialContext, request: Request): Promise<Caller> {
  const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token !== undefined && isKeyLike(token))
    return refuseCredential(ctx, request, noCredential(keyIsNoToken))
  const claims = token === undefined ? null : await readAccessToken(ctx, token)
  if (claims === null)
    return refuseCredential(ctx, request, noCredential('The access token was not issued by this deployment'))
  if (claims === 'expired')
    return refuseCredential(ctx, request, noCredential('The access token has expired; log in again'))
  const asked = request.headers['x-business-id']
  if (asked !== undefined && (typeof asked !== 'string' || !isUuid(asked)))
    return refuseCredential(ctx, request, notFound('Business'))
  const businessId = asked ?? claims.businessId
  const holder = await holderOf(ctx, claims, businessId)
  if (!holder) return refuseCredential(ctx, request, revoked())
  const { business, role, factor, factorIsStale, businessRequires } = holder
  const operation = operationFor(request)
  const of = business
    ? perBusiness(business.id, ctx.requestLimits.perBusiness)
    : perAddress('address', clientAddress(request), ctx.requestLimits.perAddress)
  await countRequest(ctx, responseOf(request), [of])
  if (business || asked !== undefined || !operation['x-about-caller'])
    requireBusiness(business, asked !== undefined)
  if (business && asked === undefined && operation['x-scope'] === 'write')
    await requireChosenBusiness(ctx, claims.accountId, business.id)
  const writes = operation['x-scope'] === 'write'
  if (!operation['x-about-caller'])
    requireFactor(ctx.factorPolicy, factor, { operates: false, role, writes, businessRequires })
  requireApproval(business, ctx.environment, operation)
  if (role) requireRole(role, operation)
  if (operation['x-fresh-factor'] === 'always') requireFreshFactor({ account: holder })
  const account = { id: claims.accountId, email: holder.email }
  const confirm = onceIn(async (tx) => {
    const now = await keepStanding(tx, claims, business?.id ?? null)
    if (!now) throw revoked()
    if (!business || !role) return
    if (!now.member) throw notFound('Business')
    requireApproval(now.member.business, ctx.environment, operation)
    requireRole(now.member.role, operation)
    requireNoLessThan(now.member.role, role)
  })
  return {
    businessId: business?.id ?? '',
    scope: role !== null && includesRole(role, 'developer') ? 'write' : 'read',
    business,
    actor: {
      ...actorOf(account, { address: clientAddress(request), requestId: requestId(responseOf(request)) }),
      confirm,
    },
    account: {
      ...account,
      operator: holder.operator,
      role,
      signInId: claims.signInId,
      tokenExpiresAt: claims.expiresAt,
      factor,
      factorIsStale,
    },
    apiKey: null,
  }
}

const revoked = () => noCredential('The access token was revoked; log in again')
/** The specification's error for a text that cannot be a key, with the cure. */
function mistypedKey(text: string): ApiError {
  const cure = isTokenLike(text)
    ? 'This is an access token: send it as Authorization: Bearer, not as X-API-Key'
    : 'The API key is mistyped or not complete: copy it again'
  return new ApiError(401, 'Invalid API key', cure)
}

const invalidKey = () => new ApiError(401, 'Invalid API key', 'The API key is unknown, revoked or expired')

function operationFor(request: Request): Operation {
  const operation = operationOf(request)
  if (!operation) throw new Error('the credential check ran for a request without an operation')
  return operation
}
