import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { newId } from '../platform/ids.ts'
import type { LimitName } from '../rateLimits/limitNames.ts'
import type { RateLimiter } from '../rateLimits/rateLimiter.ts'
import { newLinkToken } from './linkToken.ts'
import { payByLink } from './payByLink.ts'

let database: TestDatabase
const token = newLinkToken()
beforeAll(async () => {
  database = await createTestDatabase()
  const businessId = newId()
  await insertBusiness(database.db, businessId)
  await database.db.query(
    `insert into payment_links (id, business_id, token, amount, session_seconds, created_at, expires_at)
     values ($1, $2, $3, 10, 900, now(), now() + interval '1 day')`,
    [newId(), businessId, token],
  )
})
afterAll(() => database?.drop())

test('one network cannot make all the sessions of a link that may wait: fifty in the time that one waits', async () => {
  const counted: { name: string; max: number; windowSeconds: number }[] = []
  const count: RateLimiter['count'] = async (limit) => {
    counted.push({ name: limit.name, max: limit.max, windowSeconds: limit.windowSeconds })
    const over = limit.name === ('link-sessions' satisfies LimitName)
    return { limit, over, used: 1, remaining: 0, resetSeconds: 900 }
  }
  const ctx = {
    db: database.db,
    chains: [],
    rates: null,
    caps: { openSessions: () => Promise.reject(new Error('no session is counted')) },
    checkoutUrl,
    limiter: { count },
    environment: 'test' as const,
  }
  const visitor = { kind: 'none' as const, address: '203.0.113.7' }
  const choice = { chain: 'ethereum', token: 'USDC', visit: 'a'.repeat(22) }
  await expect(payByLink(ctx as never, visitor as never, token, choice)).rejects.toMatchObject({
    status: 429,
  })
  expect(counted).toEqual([
    { name: 'link-visitor', max: 20, windowSeconds: 60 },
    { name: 'link', max: 240, windowSeconds: 60 },
    { name: 'link-sessions', max: 50, windowSeconds: 900 },
  ])
})
