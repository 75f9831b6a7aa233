import type { Request, Response } from 'express'
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
/** Where nobody has proven who they are. */
export const perAddress = (name: 'address' | 'refused', address: string, most: number): Limit => ({
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
  const [nearest] = standings.toSorted(byNearness)
  if (!nearest) return
  response.setHeader('RateLimit-Policy', limits.map(({ name, most, windowSeconds }) => `"${name}";q=${most};w=${windowSeconds}`).join(', '))
  response.setHeader('RateLimit', `"${nearest.limit.name}";r=${nearest.remaining};t=${nearest.resetSeconds}`)
  const last = standings.at(-1)
  if (last?.over) throw tooManyRequests(last)
}

const byNearness = (a: Standing, b: Standing): number => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds

/** The response of a request that is being handled. */
export function responseOf(request: Request): Response {
  if (!request.res) throw new Error('the request has no response')
  return request.res as Response
}

/**
 * Refuses a credential, and limits how often one network may come with such. One that holds is not refused for what others send from the
 * same network.
 * @throws ApiError 429 when it is one too many, else the reason
 */
export async function refuseCredential(
  ctx: { limiter: RateLimiter; requestLimits: RequestLimits },
  request: Request,
  reason: unknown,
): Promise<never> {
  await countRequest(ctx, responseOf(request), [perAddress('refused', clientAddress(request), ctx.requestLimits.perAddress)])
  throw reason
}
