import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeSuspense } from '../../test/support/madeSuspense.ts'
import { configuredChains } from '../chains/configuration.ts'
import { listSuspense } from './listSuspense.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('a payment that a fork brought back hours later is listed since then', async () => {
  const { db } = database
  const id = await makeSuspense(db, 5_000_000n)
  await db.query("update detections set seen_at = now() + interval '3 hours' where id = $1", [id])
  const { chains } = configuredChains({ STELLAR_HORIZON_URLS: 'http://127.0.0.1:1' })
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000)
  const list = async (since: Date) => {
    const found = await listSuspense({ db, chains }, { since }, { page: 1, limit: 20, sort: 'DESC' } as never)
    return { total: found.total, ids: found.payments.map((each) => each.id) }
  }
  expect(await list(hours(2))).toEqual({ total: 1, ids: [id] })
  expect(await list(hours(4))).toEqual({ total: 0, ids: [] })
})
