import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { runMaintenance } from '../../queues/maintenance.ts'
import { maintenanceTasks } from '../../src/capabilities.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { maintenanceContext } from '../../test/support/maintenanceContext.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { newId } from '../platform/ids.ts'
import { forgetPrepared } from './forgetPrepared.ts'

let database: TestDatabase
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  await insertBusiness(database.db, businessId, 'one')
})
afterAll(() => database?.drop())

const prepare = (id: string, hoursAgo: number, submitted: boolean) =>
  database.db.query(
    `insert into prepared_transfers (id, business_id, chain, transfer, terms, expires_at, submitted_at)
     values ($1, $2, 'ethereum', '{}', '{}', now() - $3 * interval '1 hour', case when $4 then now() end)`,
    [id, businessId, hoursAgo, submitted],
  )
const kept = async () =>
  (await database.db.query<{ id: string }>('select id from prepared_transfers')).map(({ id }) => id)

test('prepared transfers that were never submitted are deleted a day after they expired, in any number, and no others', async () => {
  const [open, late, submitted] = [newId(), newId(), newId()]
  await prepare(open, -1, false)
  await prepare(late, 23, false)
  await prepare(submitted, 2400, true)
  await prepare(newId(), 25, false)
  await database.db.query(
    `insert into prepared_transfers (id, business_id, chain, transfer, terms, expires_at)
     select gen_random_uuid(), $1, 'ethereum', '{}', '{}', now() - interval '2 days' from generate_series(1, 2500)`,
    [businessId],
  )
  await forgetPrepared(database.db)
  expect((await kept()).sort()).toEqual([open, late, submitted].sort())
  await forgetPrepared(database.db)
  expect(await kept()).toHaveLength(3)
})

test('the deletion does not wait for a transfer that is being submitted', async () => {
  const [held, other] = [newId(), newId()]
  await prepare(held, 30, false)
  await prepare(other, 30, false)
  await database.db.tx(async (tx) => {
    await tx.query('select 1 from prepared_transfers where id = $1 for update', [held])
    await forgetPrepared(database.db)
    expect(await kept()).toEqual(expect.arrayContaining([held]))
    expect(await kept()).not.toContain(other)
  })
  await forgetPrepared(database.db)
  expect(await kept()).not.toContain(held)
})

test('a worker deletes them by itself', async () => {
  const id = newId()
  await prepare(id, 30, false)
  const stop = new AbortController()
  const running = runMaintenance(maintenanceContext(database.db, stop.signal), maintenanceTasks)
  await waitFor('the row to be gone', async () => !(await kept()).includes(id))
  stop.abort()
  await running
})
