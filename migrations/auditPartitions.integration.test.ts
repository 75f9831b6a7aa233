import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { listAudit } from '../src/audit/listAudit.ts'
import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { type Db, openDb } from '../src/platform/database/db.ts'
import { firstIdAt, newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { urlAs } from '../test/support/template.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createMigrator, type Migration } from './migrator.ts'

/** In their order. */
const steps = ['0153-audit-bound', '0154-audit-partitions'] as const
const whole = { page: 1, limit: 100, sort: 'ASC' } as const
const dayMs = 86_400_000

let database: TestDatabase
let api: Db
const business = newId()
const loaded = async (name: string) => (await import(`./${name}.ts`)) as Migration
const takeStep = (name: string) =>
  createMigrator(database.db, { migrations: [{ name, load: () => loaded(name) }] }).up()
const takeBack = (name: string) =>
  createMigrator(database.db, { migrations: [{ name, load: () => loaded(name) }] }).down()
/** By the statement of the version before, which names the id as the key. */
const record = (db: Db, action: string, id: string = newId()) =>
  db.tx(async (tx) => {
    await tx.query('select 1 from businesses where id = $1 for key share', [business])
    await recordAudit(
      tx,
      systemActor('test'),
      { businessId: business, action, target: null, after: { id } },
      id,
    )
    return id
  })
/** An id of that time, as `newId` makes it. */
const idAt = (ms: number): string => firstIdAt(ms).slice(0, 14) + newId().slice(14)
const rows = () => database.db.query<{ id: string }>('select * from audit_log order by id')
const idsOf = async () => (await rows()).map(({ id }) => id)
const partitions = async () => {
  const found = await database.db.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'audit_log'::regclass order by 1`,
  )
  return found.map(({ name }) => name)
}
const rights = () =>
  database.db.query(
    `select grantee, privilege_type, column_name from information_schema.column_privileges where table_name = 'audit_log' and grantee like 'cowry\\_%' order by 1, 2, 3`,
  )

beforeAll(async () => {
  database = await createTestDatabase()
  api = openDb(urlAs('api', database.url), 4)
  await database.db.query("insert into businesses (id, name) values ($1, 'Shop')", [business])
})
afterAll(async () => {
  await api?.close()
  await database?.drop()
})

describe('the log of the version before', () => {
  let before: object[]
  let rightsBefore: object[]
  const written: string[] = []
  const odd = [idAt(Date.now() + 200 * dayMs), 'f6b1e0a4-27c9-4d52-8f0e-6a1b9c3d7e58']

  beforeAll(async () => {
    for (const name of steps.toReversed()) await takeBack(name)
    for (let n = 0; n < 50; n++) written.push(await record(api, 'before.recorded'))
    for (const id of odd) written.push(await record(api, 'odd.recorded', id))
    before = await rows()
    rightsBefore = await rights()
    expect(rightsBefore.length).toBeGreaterThan(20)
  })

  test('becomes partitions while that version writes: nothing fails, and no entry is lost or changed', async () => {
    const stopping = new AbortController()
    let taking: Promise<unknown> = Promise.resolve()
    const writers = [0, 1, 2].map(async () => {
      while (!stopping.signal.aborted) written.push(await record(api, 'during.recorded'))
    })
    const goOn = async () => {
      const soFar = written.length
      await waitFor('requests to go on', async () => written.length > soFar + 20)
    }
    try {
      for (const name of steps) {
        // A request that holds the log for longer than the step waits at a time.
        await database.db.tx(async (tx) => {
          const id = newId()
          await tx.query(
            "insert into audit_log (id, business_id, actor_kind, actor_label, action) values ($1, $2, 'system', 'test', 'held.recorded')",
            [id, business],
          )
          taking = takeStep(name)
          await waitFor(
            'the step to give way once',
            async () => {
              const [row] = await database.db.query<{ sleeps: boolean }>(
                "select exists (select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep') as sleeps",
              )
              return row?.sleeps
            },
            10_000,
          )
          await goOn()
          written.push(id)
        })
        await taking
        await goOn()
      }
    } finally {
      stopping.abort()
      await Promise.all(writers)
    }
    const now = await rows()
    expect(now.slice(0, 50)).toEqual(before.slice(0, 50))
    expect(now.filter(({ id }) => odd.includes(id))).toEqual(before.slice(50))
    expect(await idsOf()).toEqual([...written].sort())
    expect(written.length).toBe(new Set(written).size)
  })

  test('keeps the rights of every role, and gives no right on a partition', async () => {
    expect(await rights()).toEqual(rightsBefore)
    for (const name of await partitions())
      await expect(api.query(`select 1 from ${name}`)).rejects.toThrow('permission denied')
  })

  test('is listed in the same order, and each entry is found by its id', async () => {
    const { entries, total } = await listAudit(
      database,
      { businessId: business, action: 'odd.recorded' },
      whole,
    )
    expect([total, entries.map((entry) => (entry as { id: string }).id)]).toEqual([2, odd])
    for (const id of [...odd, ...written.slice(0, 5)])
      expect(await database.db.query('select id from audit_log where id = $1', [id])).toEqual([{ id }])
  })

  test('goes back with every entry, and forward again', async () => {
    const all = await rows()
    for (const name of steps.toReversed()) await takeBack(name)
    expect(await rows()).toEqual(all)
    expect(await partitions()).toEqual([])
    for (const name of steps) await takeStep(name)
    expect(await rows()).toEqual(all)
    expect((await partitions()).length).toBeGreaterThan(4)
  })

  test('is not read under the lock: the checked constraint stands for it', async () => {
    for (const name of steps.toReversed()) await takeBack(name)
    await takeStep(steps[0])
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const notices: string[] = []
    client.on('notice', ({ message }) => void notices.push(message ?? ''))
    try {
      await client.query('set client_min_messages = debug1')
      await client.query('begin')
      await (await loaded(steps[1])).up({ query: async (text) => (await client.query(text)).rows ?? [] })
      await client.query('rollback')
    } finally {
      await client.end()
    }
    expect(notices).toContainEqual(
      expect.stringMatching(/"audit_log_earlier" is implied by existing constraints/),
    )
    await takeStep(steps[1])
  })

  test('may be upgraded by a run that was interrupted before its record', async () => {
    for (const name of steps.toReversed()) await takeBack(name)
    const all = await rows()
    for (let n = 0; n < 2; n++) await (await loaded(steps[0])).up(database.db)
    await takeStep(steps[0])
    await takeStep(steps[1])
    expect(await rows()).toEqual(all)
  })
})

test('an entry of an id is stored once, also where many write it at the same time', async () => {
  const id = newId()
  await Promise.all(Array.from({ length: 12 }, () => record(api, 'once.recorded', id)))
  expect(await database.db.query('select id from audit_log where id = $1', [id])).toHaveLength(1)
  const twice = database.db.query('insert into audit_log select * from audit_log where id = $1', [id])
  await expect(twice).rejects.toMatchObject({ code: '23505' })
})

test('an entry of a business that is not there is refused, in each partition', async () => {
  for (const at of [
    Date.now() - 4000 * dayMs,
    Date.now(),
    Date.now() + 70 * dayMs,
    Date.now() + 4000 * dayMs,
  ]) {
    const values = [idAt(at), newId()]
    const refused = api.query(
      "insert into audit_log (id, business_id, actor_kind, actor_label, action) values ($1, $2, 'system', 'test', 'x')",
      values,
    )
    await expect(refused).rejects.toMatchObject({ code: '23503' })
  }
})

test('every partition is append-only, also for the owner of the tables', async () => {
  for (const name of ['audit_log', ...(await partitions())])
    for (const sql of [`update ${name} set actor_label = 'x'`, `delete from ${name}`, `truncate ${name}`])
      await expect(database.db.query(sql)).rejects.toThrow('append-only')
})
