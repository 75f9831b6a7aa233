import { expect, test } from '@jest/globals'
import { countAuditSearch, countInvitation } from './dashboardLimits.ts'
import type { Limit, RateLimiter } from './rateLimiter.ts'

function counting(): RateLimiter {
  const counts = new Map<string, number>()
  return {
    async count(limit: Limit) {
      const count = (counts.get(`${limit.name} ${limit.of}`) ?? 0) + 1
      counts.set(`${limit.name} ${limit.of}`, count)
      return {
        limit,
        over: count > limit.max,
        used: count,
        remaining: Math.max(0, limit.max - count),
        resetSeconds: limit.windowSeconds,
      }
    },
    usedUp: () => null,
    giveBack: async () => {},
    holdBack: async () => {},
  }
}

test.each([
  ['a hundred invitations a day', countInvitation, 100, 24 * 3600],
  ['thirty searches of the audit log a minute', countAuditSearch, 30, 60],
] as const)('an account may do %s, and another account as many', async (_what, count, max, seconds) => {
  const ctx = { limiter: counting() }
  for (let i = 0; i < max; i++) await count(ctx, 'one')
  await expect(count(ctx, 'one')).rejects.toMatchObject({ status: 429, retryAfterSeconds: seconds })
  await count(ctx, 'another')
})
