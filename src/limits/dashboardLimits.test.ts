import { expect, test } from '@jest/globals'
import { countAuditSearch, countInvitation } from './dashboardLimits.ts'
import type { Limit, RateLimiter } from './rateLimiter.ts'

function counting(): RateLimiter {
  const counts = new Map<string, number>()
  return {
    async count(limit: Limit) {
      const count = (counts.get(`${limit.name} ${limit.of}`) ?? 0) + 1
      counts.set(`${limit.name} ${limit.of}`, count)
      return { limit, over: count > limit.most, used: count, remaining: Math.max(0, limit.most - count), resetSeconds: limit.windowSeconds }
    },
    usedUp: () => null,
    giveBack: async () => {},
    holdBack: async () => {},
  }
}

test.each([
  ['a hundred invitations a day', countInvitation, 100, 24 * 3600],
  ['thirty searches of the audit log a minute', countAuditSearch, 30, 60],
] as const)('an account may do %s, and another one as many', async (_what, count, most, seconds) => {
  const ctx = { limiter: counting() }
  for (let i = 0; i < most; i++) await count(ctx, 'one')
  await expect(count(ctx, 'one')).rejects.toMatchObject({ status: 429, retryAfterSeconds: seconds })
  await count(ctx, 'another')
})
