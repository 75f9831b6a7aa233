import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { newId } from '../platform/ids.ts'
import { foldOpenSessions, isFarBelowCap, requireRoomForSession } from './openSessions.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase(8)
})

afterAll(() => database.drop())

const counted = async (businessId: string) => {
  const [row] = await database.db.query<{ open: number; rows: number }>(
    'select coalesce(sum(n), 0)::int as open, count(*)::int as rows from open_session_counts where business_id = $1',
    [businessId],
  )
  return row
}

/** One more session, counted as in `createSession`. */
const add = (businessId: string, cap: number) =>
  database.db.tx(async (tx) => {
    const hasRoom = await isFarBelowCap(tx, { openSessions: cap }, businessId)
    await tx.query('insert into open_session_counts values ($1, 1)', [businessId])
    if (!hasRoom) await requireRoomForSession(tx, { openSessions: cap }, businessId)
  })

test('a burst of sessions is counted exactly while rows are folded, also by maintenance', async () => {
  const businessId = newId()
  const clients = Array.from({ length: 7 }, async () => {
    for (let i = 0; i < 120; i++) await add(businessId, 100_000)
  })
  await Promise.all([...clients, foldOpenSessions(database.db)])
  const after = await counted(businessId)
  expect(after?.open).toBe(840)
  expect(after?.rows).toBeLessThan(420)
})

test('the cap holds exactly while rows are folded', async () => {
  const businessId = newId()
  await database.db.query('insert into open_session_counts select $1, 1 from generate_series(1, 295)', [
    businessId,
  ])
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => add(businessId, 300)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect((await counted(businessId))?.open).toBe(300)
})

test('a count that is rolled back folds nothing', async () => {
  const businessId = newId()
  await database.db.query('insert into open_session_counts select $1, 1 from generate_series(1, 300)', [
    businessId,
  ])
  await expect(add(businessId, 300)).rejects.toThrow('the business may have 300')
  expect(await counted(businessId)).toEqual({ open: 300, rows: 300 })
})
