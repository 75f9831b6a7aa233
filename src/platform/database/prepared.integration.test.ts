import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { type Pooler, startPooler } from '../../../test/support/pooler.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { type OwnDb, openDb } from './db.ts'
import { openModelDb } from './modelDb.ts'
import { prepared } from './prepared.ts'

let database: TestDatabase
let pooler: Pooler
beforeAll(async () => {
  database = await createTestDatabase()
  pooler = await startPooler(database.url)
})
afterAll(async () => {
  await pooler?.close()
  await database?.drop()
})

const marked = prepared('select $1::integer + 1 as n')

describe.each([
  ['openDb', (url: string) => openDb(url, 1)],
  ['openModelDb', (url: string) => openModelDb(url, 1)],
])('a marked statement, with %s,', (_name, open) => {
  const plans =
    "select statement, (generic_plans + custom_plans)::integer as used from pg_prepared_statements where statement !~ '^start|set_config|^commit'"

  test('is prepared once by a connection, also in a transaction; others are not', async () => {
    const db = open(database.url)
    expect(await db.query(marked, [1])).toEqual([{ n: 2 }])
    expect(await db.tx((tx) => tx.query(marked, [2]))).toEqual([{ n: 3 }])
    await db.query('select $1::integer', [1])
    expect(await db.query(plans)).toEqual([{ statement: marked, used: 2 }])
    await db.close()
  })

  test('is not prepared behind a pooler, whose next statement may reach another session', async () => {
    const db = open(pooler.url)
    expect(await db.query(marked, [1])).toEqual([{ n: 2 }])
    expect(await db.tx((tx) => tx.query(marked, [2]))).toEqual([{ n: 3 }])
    expect(await db.query(plans)).toEqual([])
    await db.close()
  })

  test('fails once where the session lost its name or a migration changed a type; then another connection serves it', async () => {
    const typed = prepared('select a from typed where a::text <> $1')
    const owner = openDb(database.url, 1)
    await owner.query('drop table if exists typed')
    await owner.query('create table typed as select 7 as a')
    const db = open(database.url)
    expect(await db.query(typed, [''])).toEqual([{ a: 7 }])
    await owner.query('alter table typed alter a type text')
    await expect(db.query(typed, [''])).rejects.toMatchObject({ code: '0A000' })
    expect(await db.query(typed, [''])).toEqual([{ a: '7' }])
    await db.query('deallocate all')
    await expect(db.query(typed, [''])).rejects.toMatchObject({ code: '26000' })
    expect(await db.query(typed, [''])).toEqual([{ a: '7' }])
    await Promise.all([db.close(), owner.close()])
  })
})

test('a pool knows the backends of its own transactions, but not behind a pooler', async () => {
  const backend = async (db: OwnDb) =>
    (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid ?? 0
  const [one, other, pooled] = [openDb(database.url, 1), openDb(database.url, 1), openDb(pooler.url, 1)]
  const pids = [await backend(one), await backend(other), await backend(pooled)]
  expect([one, other, pooled].map((db) => pids.map(db.isOwn))).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])
  await database.db.query('select pg_terminate_backend($1)', [pids[0]])
  await waitFor('its end', async () => !one.isOwn(pids[0] ?? 0))
  await Promise.all([one.close(), other.close(), pooled.close()])
})
