import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { chains, followEthereum } from '../../test/support/sessionDatabase.ts'
import { newId } from '../platform/ids.ts'
import type { LimitName } from '../rateLimits/limitNames.ts'
import type { Limit, RateLimiter } from '../rateLimits/rateLimiter.ts'
import { newLinkToken } from './linkToken.ts'
import { payByLink } from './payByLink.ts'

let database: TestDatabase
const token = newLinkToken()
const businessId = newId()
beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId)
  await database.db.query(
    `insert into payment_links (id, business_id, token, amount, session_seconds, created_at, expires_at)
     values ($1, $2, $3, 10, 900, now(), now() + interval '1 day')`,
    [newId(), businessId, token],
  )
})
afterAll(() => database?.drop())

/** Counts for good, as if all came within every window. */
function createCounter() {
  const limits = new Map<string, Limit>()
  const used = new Map<string, number>()
  const count: RateLimiter['count'] = async (limit) => {
    const key = `${limit.name} ${limit.of}`
    const now = (used.get(key) ?? 0) + 1
    limits.set(limit.name, limit)
    used.set(key, now)
    return { limit, over: now > limit.max, used: now, remaining: 0, resetSeconds: 60 }
  }
  return { count, limits }
}

const choice = { chain: 'ethereum', token: 'USDC', visit: 'a'.repeat(22) }

/** A choice that is counted, and then refused: there are no chains. */
async function choose(count: RateLimiter['count'], address: string, more: object = {}): Promise<number> {
  const ctx = {
    db: database.db,
    chains: [],
    rates: null,
    caps: { openSessions: () => Promise.reject(new Error('no session is counted')) },
    checkoutUrl,
    limiter: { count },
    environment: 'test' as const,
    ...more,
  }
  const visitor = { kind: 'none' as const, address }
  return payByLink(ctx as never, visitor as never, token, choice).then(
    () => 201,
    (error: { status: number }) => error.status,
  )
}

/** How many of the choices from each address were counted to the end. */
async function countTaken(count: RateLimiter['count'], addresses: string[], times: number): Promise<number> {
  let taken = 0
  for (const address of addresses)
    for (let i = 0; i < times; i++) if ((await choose(count, address)) !== 429) taken++
  return taken
}

const networksOfOneSite = Array.from({ length: 12 }, (_, i) => `2001:db8:0:${i.toString(16)}::1`)

test('a network makes 20 choices a minute of a link, and 50 sessions in the time that one waits', async () => {
  const { count, limits } = createCounter()
  expect(await countTaken(count, ['203.0.113.7'], 25)).toBe(20)
  expect([...limits.values()].map(({ name, max, windowSeconds }) => ({ name, max, windowSeconds }))).toEqual([
    { name: 'link-visitor', max: 20, windowSeconds: 60 },
    { name: 'link', max: 240, windowSeconds: 60 },
    { name: 'link-sessions', max: 50, windowSeconds: 900 },
  ])
})

test('the networks of one IPv6 site do not use up the choices of a link', async () => {
  const { count } = createCounter()
  expect(await countTaken(count, networksOfOneSite, 20)).toBe(60)
  expect(await choose(count, '203.0.113.7')).not.toBe(429)
})

test('the networks of one IPv6 site make 150 sessions of a link in the time that one waits', async () => {
  const { count: counted } = createCounter()
  // All the choices, as if they came over some minutes.
  const count: RateLimiter['count'] = (limit) =>
    counted({
      ...limit,
      max: limit.name.startsWith('link-sessions' satisfies LimitName) ? limit.max : 10_000,
    })
  expect(await countTaken(count, networksOfOneSite, 20)).toBe(150)
  expect(await choose(count, '203.0.113.7')).not.toBe(429)
})

test('a link makes no session for a business that is suspended meanwhile', async () => {
  const { db } = database
  await followEthereum(db)
  await db.query("update chain_cursors set height = 100 where chain = 'ethereum'")
  await db.query(
    "insert into deposit_addresses (family, index, address, path) select 'evm', 1000, '0x' || repeat('d', 40), 'test'",
  )
  const counter = createCounter()
  const suspending: RateLimiter['count'] = async (limit) => {
    await db.query("update businesses set approval = 'suspended' where id = $1", [businessId])
    return counter.count(limit)
  }
  const more = { chains, caps: { openSessions: async () => 10_000 } }
  const sessions = async () => (await db.query('select id from pos_sessions')).length
  await expect(choose(suspending, '203.0.113.8', more)).resolves.toBe(409)
  expect(await sessions()).toBe(0)
  await db.query("update businesses set approval = 'pending' where id = $1", [businessId])
  await expect(choose(counter.count, '203.0.113.8', more)).resolves.toBe(201)
  expect(await sessions()).toBe(1)
})
