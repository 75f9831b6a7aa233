import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { addBusiness, addPerson } from '../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createMigrator, type Migration } from './migrator.ts'

// Rows of businesses that closed months are updated while the version before goes on.

const name = '0235-zones-of-closed-months'
let database: TestDatabase
const migrator = () =>
  createMigrator(database.db, {
    migrations: [{ name, load: async () => (await import(`./${name}.ts`)) as Migration }],
  })

beforeAll(async () => {
  database = await createTestDatabase()
  await migrator().down()
})
afterAll(() => database?.drop())

test('a business goes on in the zone of its last closed month; the version before adds businesses meanwhile', async () => {
  const { db } = database
  const owner = await addPerson(database)
  const [closed, waiting, without] = [
    await addBusiness(database, owner),
    await addBusiness(database, owner),
    await addBusiness(database, owner),
  ]
  const month = (businessId: string, of: string, zone: string, isClosed: boolean) =>
    db.query(
      `insert into ledger_months (business_id, month, time_zone, starts_at, ends_at, asked_by, closed_by, closed_at)
       values ($1, $2, $3, $4::timestamptz, $4::timestamptz + interval '1 month', $5, case when $6 then $5::uuid end, case when $6 then now() end)`,
      [businessId, of, zone, `${of}-01T00:00:00Z`, owner.id, isClosed],
    )
  await month(closed, '2026-01', 'UTC', true)
  await month(closed, '2026-02', 'Africa/Lagos', true)
  await month(closed, '2026-03', 'Asia/Tokyo', false)
  await month(waiting, '2026-01', 'Africa/Lagos', false)
  const added = newId()
  const step = await db.tx(async (tx) => {
    await tx.query("insert into businesses (id, name) values ($1, 'Added by the version before')", [added])
    await tx.query("update businesses set name = 'Renamed' where id = $1", [closed])
    const up = migrator().up()
    await waitFor('the step to wait for this row alone', async () => {
      const [lock] = await db.query("select 1 from pg_locks where locktype = 'transactionid' and not granted")
      return lock !== undefined
    })
    await db.query("update businesses set name = 'Free' where id = $1", [without])
    return { up }
  })
  expect(await step.up).toEqual([name])
  const rows = await db.query<{ id: string; zone: string }>(
    'select id, time_zone as zone from businesses where id = any($1)',
    [[closed, waiting, without, added]],
  )
  expect(Object.fromEntries(rows.map(({ id, zone }) => [id, zone]))).toEqual({
    [closed]: 'Africa/Lagos',
    [waiting]: 'UTC',
    [without]: 'UTC',
    [added]: 'UTC',
  })
})
