import type { Limit, RateLimiter } from './rateLimiter.ts'
import { tooManyRequests } from './tooManyRequests.ts'

const day = 24 * 3600
const minute = 60

/**
 * An invitation's link tells whoever has it whether there is an account for the address; so nobody gets many of them.
 * @throws ApiError 429
 */
export const countInvitation = (ctx: { limiter: RateLimiter }, accountId: string): Promise<void> =>
  count(ctx, { name: 'invitations', of: accountId, max: 100, windowSeconds: day })

/**
 * A search for a part of a text reads every entry of its time.
 * @throws ApiError 429
 */
export const countAuditSearch = (ctx: { limiter: RateLimiter }, accountId: string): Promise<void> =>
  count(ctx, { name: 'audit-search', of: accountId, max: 30, windowSeconds: minute })

async function count(ctx: { limiter: RateLimiter }, limit: Limit): Promise<void> {
  const standing = await ctx.limiter.count(limit)
  if (standing.over) throw tooManyRequests(standing)
}
