import type { Request, RequestHandler } from 'express'
import type { Counter } from 'prom-client'
import type { Caller } from '../../src/accounts/caller.ts'
import type { FactorPolicy } from '../../src/accounts/factor.ts'
import { requireFreshFactor } from '../../src/accounts/freshFactor.ts'
import { keepStanding } from '../../src/accounts/keepStanding.ts'
import { requireFactor } from '../../src/accounts/secondFactor.ts'
import { actorOf } from '../../src/accounts/signIn.ts'
import { findSession, hashOfSession } from '../../src/accounts/signIns.ts'
import type { Environment } from '../../src/apiKeys/form.ts'
import { getBusiness, requiresFactor } from '../../src/businesses/business.ts'
import { suspended } from '../../src/members/businessApproval.ts'
import { roleIn } from '../../src/members/role.ts'
import type { ModelDb } from '../../src/platform/database/modelDb.ts'
import { ApiError, notFound } from '../../src/platform/errors.ts'
import { isUuid } from '../../src/platform/ids.ts'
import type { KnownHashes } from '../../src/rateLimits/knownHashes.ts'
import type { RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import type { Operation } from '../contract.ts'
import { requireApproval, requireNoLessThan, requireRole } from '../middleware/authorize.ts'
import { clientAddress } from '../middleware/clientAddress.ts'
import { onceIn } from '../middleware/confirm.ts'
import {
  countRequest,
  perAccount,
  type RequestLimits,
  refuseCredential,
  refuseInvented,
  responseOf,
} from '../middleware/limits.ts'
import { operationOf, pathParamsOf } from '../middleware/observe.ts'
import { admit, refuseAs } from '../middleware/outcomes.ts'
import { requestId } from '../middleware/requestId.ts'
import { cookiesOf, sessionCookie } from './cookies.ts'

/** Parses cookies for the validator, and sets the error for requests without a session. */
export const readCookies: RequestHandler = (request, _response, next) => {
  request.cookies = cookiesOf(request)
  refuseAs(request, notSignedIn())
  next()
}

/**
 * Refuses requests that another site may have made a browser send. `SameSite=Strict` already withholds the
 * cookie; in addition, our own header forces a preflight, which is never granted, and browsers send
 * `Sec-Fetch-Site` or `Origin`.
 * @param baseUrl the deployment's own URL, for a proxy that does not pass `Host` on
 */
export function refuseOtherSites(baseUrl: string): RequestHandler {
  const ownHost = hostOf(baseUrl)
  return (request, _response, next) => {
    if (request.method === 'GET') {
      next()
      return
    }
    const site = request.headers['sec-fetch-site']
    const { origin } = request.headers
    const isOwn =
      origin === undefined || [request.headers.host, ownHost].includes(hostOf(origin) ?? 'no host')
    if (
      request.headers['x-cowry-dashboard'] === '1' &&
      isOwn &&
      (site === undefined || site === 'same-origin')
    )
      next()
    else
      next(
        new ApiError(
          403,
          'cross_site_request',
          'The header X-Cowry-Dashboard is missing, or the request comes from another site',
        ),
      )
  }
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

export interface SessionContext {
  db: ModelDb
  limiter: RateLimiter
  requestLimits: RequestLimits
  refusals: Counter
  knownSessions: KnownHashes
  environment: Environment
  factorPolicy: FactorPolicy
}

/** Checks the dashboard's session cookie. */
export const sessionHandlers = (ctx: SessionContext) => ({
  session: (request: Request) => admit(request, () => callerInSession(ctx, request)),
})

const ofOperator = { operates: true, role: null, writes: true, businessRequires: false } as const

async function callerInSession(ctx: SessionContext, request: Request): Promise<Caller> {
  const operation = operationOf(request)
  if (!operation) throw new Error('the session check ran for a request without an operation')
  const secret = cookiesOf(request)[sessionCookie] ?? ''
  await refuseInvented(ctx, request, ctx.knownSessions, hashOfSession(secret))
  const session = await findSession(ctx, secret)
  if (!session) return refuseCredential(ctx, request, notSignedIn())
  await countRequest(ctx, responseOf(request), [perAccount(session.accountId)])
  if (operation['x-role'] === 'operator' && !session.operator) throw forOperators()
  if (operation['x-role'] === 'operator') requireFactor(ctx.factorPolicy, session.factor, ofOperator)
  const from = { address: clientAddress(request), requestId: requestId(responseOf(request)) }
  const account = {
    id: session.accountId,
    email: session.email,
    operator: session.operator,
    role: null,
    signInId: session.signInId,
    tokenExpiresAt: null,
    factor: session.factor,
    factorIsStale: session.factorIsStale,
  }
  const confirm = onceIn(async (tx) => {
    const now = await keepStanding(tx, session, null)
    if (!now) throw notSignedIn()
    if (operation['x-role'] === 'operator' && !now.operator) throw forOperators()
  })
  if (operation['x-fresh-factor'] === 'always') requireFreshFactor({ account })
  const caller: Caller = {
    businessId: '',
    scope: 'write',
    business: null,
    actor: { ...actorOf(account, from), confirm },
    account,
    apiKey: null,
  }
  const { businessId } = pathParamsOf(request)
  return businessId === undefined || operation['x-role'] === 'operator'
    ? caller
    : inBusiness(ctx, caller, account, businessId, operation)
}

/**
 * @throws ApiError 404 for a business of which the account is not a member; 403 for a lower role, or if the
 * operation needs an approved business
 */
async function inBusiness(
  ctx: SessionContext,
  caller: Caller,
  account: NonNullable<Caller['account']>,
  businessId: string,
  operation: Operation,
): Promise<Caller> {
  const role = isUuid(businessId) ? await roleIn(ctx.db, businessId, account.id) : null
  if (!role) throw notFound('Business')
  const found = await getBusiness(ctx, businessId)
  const { id, name, approval } = found
  const writes = operation['x-scope'] === 'write'
  requireFactor(ctx.factorPolicy, account.factor, {
    operates: false,
    role,
    writes,
    businessRequires: requiresFactor(found),
  })
  requireRole(role, operation)
  const business = { id, name, approval }
  requireStanding(ctx, business, operation)
  const confirm = onceIn(async (tx) => {
    const now = await keepStanding(tx, { accountId: account.id, signInId: account.signInId }, id)
    if (!now) throw notSignedIn()
    if (!now.member) throw notFound('Business')
    requireRole(now.member.role, operation)
    requireNoLessThan(now.member.role, role)
    requireStanding(ctx, now.member.business, operation)
  })
  return {
    ...caller,
    businessId: id,
    business,
    actor: { ...caller.actor, confirm },
    account: { ...account, role },
  }
}

/** @throws ApiError 403 if the business is suspended, or not approved for an operation that needs it */
function requireStanding(
  ctx: SessionContext,
  business: NonNullable<Caller['business']>,
  operation: Operation,
): void {
  // Changes made while suspended would take effect when the business is approved again.
  if (business.approval === 'suspended' && operation['x-scope'] === 'write') throw suspended()
  if (operation['x-needs-approval']) requireApproval(business, ctx.environment, operation)
}

const forOperators = () => new ApiError(403, 'insufficient_role', 'This is for operators of the platform')

/** The error for a request without a session. */
const notSignedIn = (): ApiError =>
  new ApiError(401, 'not_signed_in', 'Sign in first; a session ends after twelve hours without use')
