import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { awayFromMidnight } from '../../test/support/awayFromMidnight.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeTaking } from '../../test/support/madeTakings.ts'
import { newId } from '../platform/ids.ts'
import { sortedBusinesses } from './sortedBusinesses.ts'
import { readVolumes } from './volumes.ts'

await awayFromMidnight()

let database: TestDatabase
const [small, large, idle] = [newId(), newId(), newId()]
const midnight = new Date(new Date().setUTCHours(0, 0, 0, 0))
const daysAgo = (days: number) => new Date(midnight.getTime() - days * 86_400_000)

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  for (const [id, name] of [
    [small, 'volume b'],
    [large, 'Volume A'],
    [idle, 'volume c'],
  ] as const) {
    await insertBusiness(db, id)
    await db.query('update businesses set name = $2 where id = $1', [id, name])
  }
  await makeTaking(db, small, { at: midnight, amount: 2.345678 })
  await makeTaking(db, small, { at: daysAgo(1), amount: 1, chain: 'base' })
  await makeTaking(db, small, { at: new Date(daysAgo(29).getTime() - 1), amount: 1000 })
  await makeTaking(db, large, { at: daysAgo(29), amount: 50 })
})
afterAll(() => database?.drop())

test('what was taken today and in 30 days, rounded down to cents, and the last payment', async () => {
  const volumes = await readVolumes(database.db, [small, large, idle])
  expect(volumes.get(small)).toEqual({
    today: { payments: 1, dollars: '2.34' },
    days30: { payments: 2, dollars: '3.34' },
    lastPaymentAt: midnight.toISOString(),
  })
  expect(volumes.get(large)?.days30).toEqual({ payments: 1, dollars: '50' })
  expect(volumes.get(idle)).toEqual({
    today: { payments: 0, dollars: '0' },
    days30: { payments: 0, dollars: '0' },
    lastPaymentAt: null,
  })
})

test.each([
  ['name', 'ASC', () => [large, small, idle]],
  ['volume', 'DESC', () => [large, small, idle]],
  ['lastPayment', 'DESC', () => [small, large, idle]],
  ['lastPayment', 'ASC', () => [large, small, idle]],
] as const)('businesses in the order of %s, %s; those without come last', async (order, sort, expected) => {
  const request = { limit: 2, sort }
  const pages = await Promise.all(
    [1, 2].map((page) => sortedBusinesses(database.db, { q: 'VOLUME' }, order, { ...request, page })),
  )
  expect(pages.flatMap(({ ids }) => ids)).toEqual(expected())
  expect(pages[0]?.page).toEqual({ total: 3, page: 1, limit: 2, totalPages: 2, nextCursor: null })
})

test('an order without a cursor refuses one', () =>
  expect(
    sortedBusinesses(database.db, {}, 'name', { page: 1, limit: 2, sort: 'ASC', cursor: 'x' }),
  ).rejects.toMatchObject({ status: 400 }))
