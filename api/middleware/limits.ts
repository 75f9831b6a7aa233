import type { Request, RequestHandler, Response } from 'express'
import type { Counter } from 'prom-client'
import type { KnownHashes } from '../../src/limits/knownHashes.ts'
import type { Limit, RateLimiter, Standing } from '../../src/limits/rateLimiter.ts'
import { tooManyRequests } from '../../src/limits/tooManyRequests.ts'
import { networkOf } from '../../src/platform/addresses.ts'
import { clientAddress } from './clientAddress.ts'

/** Requests a minute, by whom. */
export interface RequestLimits {
  perBusiness: number
  perAddress: number
}

const minute = 60

export const perKey = (id: string, most: number): Limit => ({ name: 'key', of: id, most, windowSeconds: minute })
export const perBusiness = (id: string, most: number): Limit => ({ name: 'business', of: id, most, windowSeconds: minute })
/** A person in the dashboard; a program is not meant to be there. */
export const perAccount = (id: string): Limit => ({ name: 'account', of: id, most: 600, windowSeconds: minute })
type AddressLimit = 'address' | 'document' | 'refused'

/** Of a network, for requests without a valid credential. */
export const perAddress = (name: AddressLimit, address: string, most: number): Limit => ({
  name,
  of: networkOf(address),
  most,
  windowSeconds: minute,
})

/**
 * Counts a request against its limits, the narrowest first, and tells how they stand: `RateLimit` names the nearest, `RateLimit-Policy` all
 * (draft-ietf-httpapi-ratelimit-headers-10).
 * @throws ApiError 429 when one is used up
 */
export async function countRequest(ctx: { limiter: RateLimiter }, response: Response, limits: readonly Limit[]): Promise<void> {
  const standings: Standing[] = []
  for (const limit of limits) {
    const standing = await ctx.limiter.count(limit)
    standings.push(standing)
    // What a narrow limit refuses does not count against the wide one: one runaway key must not stop the others.
    if (standing.over) break
  }
  tell(response, limits, standings)
  const last = standings.at(-1)
  if (!last?.over) return
  if (last.limit.name in withoutCredential) await ctx.limiter.holdBack()
  throw tooManyRequests(last)
}

const withoutCredential: Record<AddressLimit, true> = { address: true, document: true, refused: true }

function tell(response: Response, limits: readonly Limit[], standings: readonly Standing[]): void {
  const [nearest] = standings.toSorted(byNearness)
  if (!nearest) return
  response.setHeader('RateLimit-Policy', limits.map(({ name, most, windowSeconds }) => `"${name}";q=${most};w=${windowSeconds}`).join(', '))
  response.setHeader('RateLimit', `"${nearest.limit.name}";r=${nearest.remaining};t=${nearest.resetSeconds}`)
}

const byNearness = (a: Standing, b: Standing): number => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds

/** The response of a request that is being handled. */
export function responseOf(request: Request): Response {
  if (!request.res) throw new Error('the request has no response')
  return request.res as Response
}

/** Counts who asks for a document that everyone may read. */
export const countDocument =
  (ctx: { limiter: RateLimiter; requestLimits: RequestLimits }): RequestHandler =>
  async (request, response, next) => {
    await countRequest(ctx, response, [perAddress('document', clientAddress(request), ctx.requestLimits.perAddress)])
    next()
  }

interface RefusalContext {
  limiter: RateLimiter
  requestLimits: RequestLimits
  refusals: Counter
}

const refusedOf = (ctx: RefusalContext, request: Request): Limit => perAddress('refused', clientAddress(request), ctx.requestLimits.perAddress)

/**
 * Refuses an invented credential without asking the database or Redis, once this process knows that its network has used up what it may have
 * refused. One that may hold is asked about: it is not refused for what others send from the same network.
 * @throws ApiError 429
 */
export async function refuseInvented(ctx: RefusalContext, request: Request, known: KnownHashes, hash: Buffer): Promise<void> {
  const standing = ctx.limiter.usedUp(refusedOf(ctx, request))
  if (standing === null || (await known.mayHold(hash))) return
  await refuseUncounted(ctx, request, standing, 'invented_credential')
}

/**
 * Refuses a credential, and limits how often one network may come with such; beyond that Redis is not asked. One that holds is not refused for
 * what others send from the same network.
 * @throws ApiError 429 when it is one too many, otherwise the reason
 */
export async function refuseCredential(ctx: RefusalContext, request: Request, reason: unknown): Promise<never> {
  const limit = refusedOf(ctx, request)
  const standing = ctx.limiter.usedUp(limit)
  if (standing !== null) return refuseUncounted(ctx, request, standing, 'refused_credential')
  await countRequest(ctx, responseOf(request), [limit])
  throw reason
}

async function refuseUncounted(
  ctx: RefusalContext,
  request: Request,
  standing: Standing,
  reason: 'invented_credential' | 'refused_credential',
): Promise<never> {
  ctx.refusals.inc({ reason })
  tell(responseOf(request), [standing.limit], [standing])
  await ctx.limiter.holdBack()
  throw tooManyRequests(standing)
}
