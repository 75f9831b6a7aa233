import type { Limit, RateLimiter } from './rateLimiter.ts'
import { tooManyRequests } from './tooManyRequests.ts'

const day = 24 * 3600
const minute = 60

/**
 * An invitation's link reveals whether the address has an account, so invitations are limited.
 * @throws ApiError 429
 */
export const countInvitation = (ctx: { limiter: RateLimiter }, accountId: string): Promise<void> =>
  count(ctx, { name: 'invitations', of: accountId, max: 100, windowSeconds: day })

/** A substring search reads every entry of its time range. @throws ApiError 429 */
export const countAuditSearch = (ctx: { limiter: RateLimiter }, accountId: string): Promise<void> =>
  count(ctx, { name: 'audit-search', of: accountId, max: 30, windowSeconds: minute })

async function count(ctx: { limiter: RateLimiter }, limit: Limit): Promise<void> {
  const standing = await ctx.limiter.count(limit)
  if (standing.over) throw tooManyRequests(standing)
}
