import type { Request, RequestHandler, Response } from 'express'
import type { Counter } from 'prom-client'
import { networkOf } from '../../src/platform/addresses.ts'
import type { KnownHashes } from '../../src/rateLimits/knownHashes.ts'
import type { Limit, LimitState, RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import { tooManyRequests } from '../../src/rateLimits/tooManyRequests.ts'
import { clientAddress } from './clientAddress.ts'

/** Requests per minute. */
export interface RequestLimits {
  perBusiness: number
  perAddress: number
}

const minute = 60

export const perKey = (id: string, max: number): Limit => ({
  name: 'key',
  of: id,
  max,
  windowSeconds: minute,
})
export const perBusiness = (id: string, max: number): Limit => ({
  name: 'business',
  of: id,
  max,
  windowSeconds: minute,
})
/** For a person in the dashboard, not for programs. */
export const perAccount = (id: string): Limit => ({
  name: 'account',
  of: id,
  max: 600,
  windowSeconds: minute,
})
type AddressLimit = 'address' | 'document' | 'refused'

/** For a network that sends requests without a valid credential. */
export const perAddress = (name: AddressLimit, address: string, max: number): Limit => ({
  name,
  of: networkOf(address),
  max,
  windowSeconds: minute,
})

/**
 * Counts a request against its limits, the narrowest first, and sets the headers: `RateLimit` has the nearest
 * limit, `RateLimit-Policy` all (draft-ietf-httpapi-ratelimit-headers-10).
 * @throws ApiError 429 when one is used up
 */
export async function countRequest(
  ctx: { limiter: RateLimiter },
  response: Response,
  limits: readonly Limit[],
): Promise<void> {
  const standings: LimitState[] = []
  for (const limit of limits) {
    const standing = await ctx.limiter.count(limit)
    standings.push(standing)
    // A request refused by a narrow limit does not count against the wide one: one runaway key must not stop
    // the others.
    if (standing.over) break
  }
  setHeaders(response, limits, standings)
  const last = standings.at(-1)
  if (!last?.over) return
  if (last.limit.name in withoutCredential) await ctx.limiter.holdBack()
  throw tooManyRequests(last)
}

const withoutCredential: Record<AddressLimit, true> = { address: true, document: true, refused: true }

function setHeaders(response: Response, limits: readonly Limit[], standings: readonly LimitState[]): void {
  const [nearest] = standings.toSorted(byNearness)
  if (!nearest) return
  response.setHeader(
    'RateLimit-Policy',
    limits.map(({ name, max, windowSeconds }) => `"${name}";q=${max};w=${windowSeconds}`).join(', '),
  )
  response.setHeader('RateLimit', `"${nearest.limit.name}";r=${nearest.remaining};t=${nearest.resetSeconds}`)
}

const byNearness = (a: LimitState, b: LimitState): number =>
  a.remaining - b.remaining || b.resetSeconds - a.resetSeconds

/** The response of a request that is being handled. */
export function responseOf(request: Request): Response {
  if (!request.res) throw new Error('the request has no response')
  return request.res as Response
}

/** Limits requests for public documents by network. */
export const countDocument =
  (ctx: { limiter: RateLimiter; requestLimits: RequestLimits }): RequestHandler =>
  async (request, response, next) => {
    await countRequest(ctx, response, [
      perAddress('document', clientAddress(request), ctx.requestLimits.perAddress),
    ])
    next()
  }

interface RefusalContext {
  limiter: RateLimiter
  requestLimits: RequestLimits
  refusals: Counter
}

const refusedOf = (ctx: RefusalContext, request: Request): Limit =>
  perAddress('refused', clientAddress(request), ctx.requestLimits.perAddress)

/**
 * Refuses an invented credential without the database or Redis, once this process knows that its
 * network has used up its limit of refusals. A credential that may be valid is always checked: other callers
 * in the same network cannot block it.
 * @throws ApiError 429
 */
export async function refuseInvented(
  ctx: RefusalContext,
  request: Request,
  known: KnownHashes,
  hash: Buffer,
): Promise<void> {
  const standing = ctx.limiter.usedUp(refusedOf(ctx, request))
  if (standing === null || (await known.mayHold(hash))) return
  await refuseUncounted(ctx, request, standing, 'invented_credential')
}

/**
 * Refuses a credential, and limits refusals per network; above the limit Redis is not read. Valid
 * credentials from the same network are not affected.
 * @throws ApiError 429 above the limit, otherwise `reason`
 */
export async function refuseCredential(
  ctx: RefusalContext,
  request: Request,
  reason: unknown,
): Promise<never> {
  const limit = refusedOf(ctx, request)
  const standing = ctx.limiter.usedUp(limit)
  if (standing !== null) return refuseUncounted(ctx, request, standing, 'refused_credential')
  await countRequest(ctx, responseOf(request), [limit])
  throw reason
}

async function refuseUncounted(
  ctx: RefusalContext,
  request: Request,
  standing: LimitState,
  reason: 'invented_credential' | 'refused_credential',
): Promise<never> {
  ctx.refusals.inc({ reason })
  setHeaders(responseOf(request), [standing.limit], [standing])
  await ctx.limiter.holdBack()
  throw tooManyRequests(standing)
}
