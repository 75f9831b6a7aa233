import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { full, howMany } from '../../test/support/full.ts'
import { newId } from '../platform/ids.ts'
import { type PageRequest, splitQuery } from '../platform/pages.ts'
import { foldCollectionCounts } from './foldCollectionCounts.ts'
import { type CollectionFilter, listCollections } from './listCollections.ts'

const n = howMany(20_000, 500_000)
const [businessId, other] = [newId(), newId()]
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(5)
  const { db } = database
  await db.query("insert into businesses (id, name) values ($1, 'many'), ($2, 'other')", [businessId, other])
  const insert = async (business: string, from: number, to: number) =>
    db.query(
      `insert into fiat_collections (id, business_id, status, local_amount, currency, country, chain, token, address, partner, channel_id, account_type, sealed_payer,
         reference, created_at, updated_at, ended_at)
       select ('01a20000-' || substr(lpad(to_hex(i), 8, '0'), 1, 4) || '-7' || substr(lpad(to_hex(i), 8, '0'), 5, 3) || '-8' || substr(lpad(to_hex(i), 8, '0'), 8, 1) || '00-' ||
           lpad(to_hex(case when $1 = $4::uuid then 1 else 2 end), 12, '0'))::uuid,
         $1, case when i % 10 = 0 then 'failed' else 'completed' end, i, case when i % 2 = 0 then 'NGN' else 'KES' end, 'NG', 'base', 'USDC',
         '0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae', 'yellowcard', 'c', 'bank', '', 'r' || i, now() + i * interval '1 ms', now(), now()
       from generate_series($2::int, $3::int) i`,
      [business, from, to, businessId],
    )
  // Those of the other one are in between, as in a deployment with many businesses.
  for (let from = 1; from <= n; from += 20_000)
    for (const business of [businessId, other]) await insert(business, from, Math.min(from + 19_999, n))
  await db.query('vacuum analyze fiat_collections')
}, 300_000)
afterAll(() => database?.drop())

const list = (filter: CollectionFilter = {}, request: Partial<PageRequest> = {}) =>
  listCollections(database, businessId, filter, { page: 1, limit: 20, sort: 'DESC', ...request })
const amounts = ({ data }: Awaited<ReturnType<typeof list>>) => data.map(({ amount }) => Number(amount))

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 9; i++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times.toSorted((a, b) => a - b)[4] ?? 0
}

test('pages, in both orders, with the total and the number of pages', async () => {
  const first = await list()
  expect([amounts(first), first.total, first.totalPages]).toEqual([
    Array.from({ length: 20 }, (_, i) => n - i),
    n,
    n / 20,
  ])
  expect(amounts(await list({}, { page: 500 }))[0]).toBe(n - 499 * 20)
  expect(amounts(await list({}, { sort: 'ASC', page: 2, limit: 3 }))).toEqual([4, 5, 6])
  expect(first.data[0]).not.toHaveProperty('partnerPaymentId')
})

test('page 501 is a 400 that names page; a cursor goes on', async () => {
  expect(() => splitQuery({ page: 501, limit: 20 })).toThrow(
    expect.objectContaining({ status: 400, fields: [expect.objectContaining({ field: 'page' })] }),
  )
  const last = await list({}, { page: 500 })
  const next = await list({}, { cursor: last.nextCursor ?? '' })
  expect(amounts(next)[0]).toBe(n - 500 * 20)
  await expect(list({}, { cursor: 'nonsense' })).rejects.toMatchObject({ status: 400 })
})

test('filters, and their totals', async () => {
  expect((await list({ status: ['failed'] })).total).toBe(n / 10)
  expect((await list({ status: ['refunded'] })).total).toBe(0)
  expect((await list({ status: ['failed', 'refunded'] })).total).toBe(n / 10)
  expect((await list({ currency: 'KES' })).total).toBe(n / 2)
  expect(amounts(await list({ reference: 'r17' }))).toEqual([17])
  expect((await list({ until: new Date('2020-01-01T00:00:00Z') })).total).toBe(0)
})

test('totals stay right as states change, and when they are folded', async () => {
  const { db } = database
  const [row] = await db.query<{ id: string }>(
    "select id from fiat_collections where business_id = $1 and status = 'failed' limit 1",
    [businessId],
  )
  await db.query("update fiat_collections set status = 'refunded' where id = $1", [row?.id])
  await foldCollectionCounts(db)
  expect([
    (await list({ status: ['failed'] })).total,
    (await list({ status: ['refunded'] })).total,
    (await list()).total,
  ]).toEqual([n / 10 - 1, 1, n])
  const kept = await db.query<{ n: number }>(
    'select count(*)::int as n from fiat_collection_counts where business_id = $1',
    [businessId],
  )
  expect(kept[0]?.n).toBe(3)
})

test(`page 1 and page 500 of ${n} read the index alone; in the long form within 50 ms at the median`, async () => {
  const [first, last] = [await medianOf(() => list()), await medianOf(() => list({}, { page: 500 }))]
  const plan = await database.db.query<{ 'QUERY PLAN': string }>(
    'explain select id from fiat_collections where business_id = $1 order by id desc limit 20 offset 9980',
    [businessId],
  )
  process.stdout.write(`page 1 of ${n}: ${first.toFixed(1)} ms, page 500: ${last.toFixed(1)} ms\n`)
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
    'Index Only Scan Backward using fiat_collections_business',
  )
  // While other suites run, a time proves nothing.
  if (full) expect(Math.max(first, last)).toBeLessThan(50)
})
