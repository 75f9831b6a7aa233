import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeBurntTransfer } from '../../test/support/madeBridge.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { urlAs } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { type Db, openDb } from './database/db.ts'
import { withClaim } from './database/withClaim.ts'
import { newId } from './ids.ts'

let database: TestDatabase
/** By the rights of a worker, with one connection. */
let worker: Db
const businessId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  worker = openDb(urlAs('worker', database.url), 1)
  await insertBusiness(database.db, businessId, 'sender')
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})

test('a row that changes while it is claimed is left to the next claim, which reads it again', async () => {
  const { id } = await makeBurntTransfer(database.db, businessId)
  const due = {
    table: 'bridge_transfers',
    at: 'next_at',
    key: { id },
    read: 'delay',
    leaseMs: 30_000,
  } as const
  const read: (string | null)[] = []
  const claim = () =>
    withClaim<{ delay: string | null }>(worker, due, async (_claim, { delay }) => void read.push(delay))
  let claiming: Promise<void> | undefined
  await database.db.tx(async (tx) => {
    await tx.query("update bridge_transfers set delay = 'changed', next_at = now() where id = $1", [id])
    claiming = claim()
    await waitFor('a claim that waits for the row', async () => {
      const sql =
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      return (await database.db.query(sql)).length > 0
    })
  })
  await claiming
  expect(read).toEqual([])
  await claim()
  expect(read).toEqual(['changed'])
})
