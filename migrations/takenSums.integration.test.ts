import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { readDays } from '../src/overview/businessDays.ts'
import { type Db, openDb } from '../src/platform/database/db.ts'
import { dayRanges } from '../src/platform/dayRanges.ts'
import { firstIdAt, newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { makeTaking, makeUnpaid } from '../test/support/madeTakings.ts'
import { plainTakings } from '../test/support/plainTakings.ts'
import { urlAs } from '../test/support/template.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createMigrator, type Migration } from './migrator.ts'

// Sessions of before are summed while processes of the version before write sessions.

const steps = ['0236-taken-sums', '0237-taken-before'] as const
let database: TestDatabase
let worker: Db
let business: string
const migrator = (...names: readonly string[]) =>
  createMigrator(database.db, {
    migrations: names.map((name) => ({
      name,
      load: async () => (await import(`./${name}.ts`)) as Migration,
    })),
  })

beforeAll(async () => {
  database = await createTestDatabase(10)
  // It has no rights to the new tables.
  worker = openDb(urlAs('worker', database.url), 4)
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})

beforeEach(async () => {
  await migrator(...steps).down({ to: steps[0] })
  business = newId()
  await insertBusiness(database.db, business)
})

/** Their ids are of two days ago. */
let made = 0
async function makeOld(count: number): Promise<string[]> {
  const id = await makeTaking(database.db, business, {
    at: new Date(Date.now() - 86_400_000),
    amount: 2,
    local: { amount: '3100.25', currency: 'NGN' },
  })
  const prefix = firstIdAt(Date.now() - 2 * 86_400_000).slice(0, 24)
  const rows = await database.db.query<{ id: string }>(
    `insert into pos_sessions select (jsonb_populate_record(s, jsonb_build_object('id', $2 || lpad(to_hex(n), 12, '0'), 'address', '0x99' || lpad(to_hex(n), 38, '0'), 'amount_settled', n))).*
     from pos_sessions s, generate_series($3::int, $4::int) n where s.id = $1 returning id`,
    [id, prefix, made + 1, made + count],
  )
  made += count
  return [id, ...rows.map((row) => row.id)]
}

async function expectSame(): Promise<void> {
  const of = { businessId: business, currency: 'NGN', days: dayRanges('UTC', 4, new Date()) }
  const [read, plain] = [await readDays(database.db, of), await plainTakings(database.db, of)]
  const shown = (days: typeof read) =>
    [...days].map(([day, { taken, unpaid }]) => [
      day,
      unpaid,
      taken.map((row) => ({ ...row, local: Number(row.local) })),
    ])
  expect(shown(read)).toEqual(shown(plain))
}

test('sessions of before are summed in batches while the version before changes them, each once', async () => {
  const ids = await makeOld(3500)
  await makeUnpaid(database.db, business, { at: new Date() })
  await migrator(steps[0]).up()
  let goesOn = true
  let changed = 0
  const writers = [0, 1, 2].map(async (index) => {
    while (goesOn) {
      const id = ids[(index + 3 * changed) % ids.length]
      await worker.query(
        "update pos_sessions set amount_settled = amount_settled + 1, paid_at = case when paid_at is null then now() end, status = case when paid_at is null then 'paid' else 'pending' end where id = $1",
        [id],
      )
      if (changed++ % 10 === 0) await makeTaking(database.db, business, { at: new Date(), amount: 1 })
    }
  })
  expect(await migrator(steps[1]).up()).toEqual([steps[1]])
  goesOn = false
  await Promise.all(writers)
  expect(changed).toBeGreaterThan(0)
  await expectSame()
  await worker.query("update pos_sessions set status = 'expired', paid_at = null where id = any($1)", [
    ids.slice(0, 50),
  ])
  await expectSame()
})

test('a change that is under way while its session is summed counts, and an interrupted step goes on', async () => {
  const ids = await makeOld(1500)
  await migrator(steps[0]).up()
  const last = [...ids].sort()[1200]
  const step = await worker.tx(async (tx) => {
    await tx.query('update pos_sessions set amount_settled = 1000000 where id = $1', [last])
    const up = migrator(steps[1]).up()
    await waitFor('the step to wait for this session', async () => {
      const [lock] = await database.db.query(
        "select 1 from pg_locks where locktype = 'transactionid' and not granted",
      )
      return lock !== undefined
    })
    const [first] = await database.db.query<{ n: number }>(
      'select sum(payments)::int as n from taken_sums where business_id = $1',
      [business],
    )
    expect(first?.n).toBeGreaterThan(0)
    expect(first?.n).toBeLessThan(1200)
    // As an operator would who has to stop it.
    await database.db.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'transactionid' and not granted",
    )
    return { up: up.catch((error: Error) => error) }
  })
  expect(await step.up).toBeInstanceOf(Error)
  // The pool may lend the ended connection once more, before it hears of the end.
  expect(await waitFor('the step once more', () => migrator(steps[1]).up())).toEqual([steps[1]])
  await expectSame()
})
