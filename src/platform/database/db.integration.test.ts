import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { waitFor } from '../../../test/support/waitFor.ts'
import { pause } from '../wait.ts'
import { isDatabaseAway } from './databaseAway.ts'
import { type Db, openDb, openDirect, usualTimes } from './db.ts'
import { openModelDb } from './modelDb.ts'

let database: TestDatabase
let plain: Db
beforeAll(async () => {
  database = await createTestDatabase()
  plain = openDb(database.url, 2)
  await plain.query('create table marks (name text primary key)')
})
afterAll(async () => {
  await plain?.close()
  await database?.drop()
})

const names = async () =>
  (await plain.query<{ name: string }>('select name from marks order by name')).map(({ name }) => name)
const backend = async (db: Pick<Db, 'query'>) =>
  (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid

test('both pools read every column type and the session settings alike', async () => {
  const text = `select '2026-11-20'::date as a, '{2026-11-20,2026-11-21}'::date[] as b, 12345678901234567890.5::numeric as c,
    '{1.10,2.20}'::numeric[] as d, 7::int as e, '{7,8}'::int[] as f, 7::bigint as g, '{7,8}'::bigint[] as h, 1.5::float8 as i, true as j,
    '2026-11-20T10:00:00Z'::timestamptz as k, '{"2026-11-20 10:00:00+00"}'::timestamptz[] as l, '{"a":[1]}'::jsonb as m, 'x'::text as n,
    '{x,y}'::text[] as o, '\\x0102'::bytea as p, gen_random_uuid() is not null as q, '{00000000-0000-0000-0000-000000000001}'::uuid[] as r,
    '10.0.0.0/8'::cidr as s, '7'::xid8 as t, '{[1,3)}'::int8multirange as u, null::int as v, 7::smallint as w, 'x'::varchar as x,
    current_setting('TimeZone') as y, current_setting('client_min_messages') as z, current_setting('application_name') as name`
  expect(await plain.query(text)).toEqual(await database.db.query(text))
})

describe('a transaction', () => {
  test('commits when its work returns, and rolls back when it throws', async () => {
    const mark = (name: string) => async (tx: Pick<Db, 'query'>) =>
      void (await tx.query('insert into marks values ($1)', [name]))
    await plain.tx(mark('kept'))
    await expect(
      plain.tx(async (tx) => {
        await mark('lost')(tx)
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    await expect(plain.tx(mark('kept'))).rejects.toMatchObject({ code: '23505' })
    expect(await names()).toEqual(['kept'])
  })

  test('whose commit fails reports it, and its connection is not used again', async () => {
    await plain.query('create table parents (id int primary key)')
    await plain.query('create table children (id int references parents deferrable initially deferred)')
    let pid: number | undefined
    const failed = plain.tx(async (tx) => {
      pid = await backend(tx)
      await tx.query('insert into children values (1)')
    })
    await expect(failed).rejects.toMatchObject({ code: '23503' })
    expect(await Promise.all([backend(plain), backend(plain), backend(plain)])).not.toContain(pid)
  })

  test('that is a snapshot sees one moment, and writes nothing', async () => {
    await plain.snapshot(async (tx) => {
      const before = await tx.query('select name from marks')
      await plain.query("insert into marks values ('meanwhile')")
      expect(await tx.query('select name from marks')).toEqual(before)
    })
    await expect(plain.snapshot((tx) => tx.query("insert into marks values ('no')"))).rejects.toMatchObject({
      code: '25006',
    })
  })

  test.each([
    ['while a statement runs', false],
    ['between two statements', true],
  ])(
    'whose connection breaks %s fails as an unavailable database, and the pool continues',
    async (_when, isLater) => {
      const broken = plain.tx(async (tx) => {
        const pid = await backend(tx)
        const end = () => database.db.query('select pg_terminate_backend($1)', [pid])
        if (isLater) {
          await end()
          await pause(200)
          await tx.query('select 1')
        } else await Promise.all([tx.query('select pg_sleep(5)'), end()])
      })
      const error = await broken.then(
        () => null,
        (cause) => cause,
      )
      expect(isDatabaseAway(error)).toBe(true)
      expect(await plain.query('select 1 as one')).toEqual([{ one: 1 }])
    },
  )
})

describe.each([
  ['openDb', (url: string) => openDb(url, 1, { ...usualTimes, statementMs: 200 })],
  ['openModelDb', (url: string) => openModelDb(url, 1, { ...usualTimes, statementMs: 200 })],
])('a statement that takes too long, with %s,', (_name, open) => {
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (cause) => cause,
    )
  /** The backend runs no statement of the test. */
  const isIdle = (pid: number | undefined) =>
    waitFor(`backend ${pid} without a statement`, async () => {
      const [row] = await database.db.query<{ state: string }>(
        'select state from pg_stat_activity where pid = $1',
        [pid],
      )
      return row === undefined || row.state !== 'active'
    })

  test('is cancelled by the database, alone and in a transaction; the connection serves the next statement', async () => {
    const db = open(database.url)
    const pid = await backend(db)
    const works = [
      () => db.query('select pg_sleep(60)'),
      () => db.tx((tx) => tx.query('select pg_sleep(60)')),
      () => db.snapshot((tx) => tx.query('select pg_sleep(60)')),
    ]
    for (const work of works) {
      const error = await failure(work())
      expect([error.code ?? error.parent?.code, isDatabaseAway(error)]).toEqual(['57014', true])
    }
    await isIdle(pid)
    expect(await backend(db)).toEqual(expect.any(Number))
    await db.close()
  })

  test('in a transaction has the limit even if a pooler hands over a session without one', async () => {
    const db = open(database.url)
    await db.query('set statement_timeout = 0')
    for (const within of [db.tx, db.snapshot] as Db['tx'][])
      expect((await failure(within((tx) => tx.query('select pg_sleep(60)'))))?.code).toBe('57014')
    await db.close()
  })

  test('that the database does not cancel is given up, and its connection is never used again', async () => {
    const db = open(database.url)
    const stuck = (tx: Pick<Db, 'query'>) => tx.query('select pg_sleep(10)')
    for (const work of [
      () => stuck(db),
      () =>
        db.tx(async (tx) => {
          await tx.query('set local statement_timeout = 0')
          return stuck(tx)
        }),
    ]) {
      const pid = await backend(db)
      await db.query('set statement_timeout = 0')
      const began = performance.now()
      expect(isDatabaseAway(await failure(work()))).toBe(true)
      // Nothing waits behind the running statement of ten seconds, not even a rollback.
      expect(performance.now() - began).toBeLessThan(8000)
      expect(await backend(db)).not.toBe(pid)
      await database.db.query('select pg_terminate_backend($1)', [pid])
    }
    await db.close()
  })
})

test('a connection outside the pool gets one statement at a time, in order', async () => {
  const direct = await openDirect(database.url, 'cowry-test')
  const real = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>
  let [underWay, max] = [0, 0]
  const spy = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    max = Math.max(max, ++underWay)
    return real.apply(this, args).finally(() => underWay--)
  } as never)
  try {
    const numbers = [1, 2, 3, 4, 5]
    expect(await Promise.all(numbers.map((n) => direct.query('select $1::int as n', [n])))).toEqual(
      numbers.map((n) => [{ n }]),
    )
    expect(max).toBe(1)
  } finally {
    spy.mockRestore()
    await direct.close()
  }
})

describe.each([
  ['openDb', (url: string) => openDb(url, 1, { ...usualTimes, statementMs: 300 })],
  ['openModelDb', (url: string) => openModelDb(url, 1, { ...usualTimes, statementMs: 300 })],
])('a transaction that stands idle, with %s,', (name, open) => {
  test.each(['tx', 'snapshot'] as const)(
    'is ended by the database (%s), also if a pooler hands over a session without a limit: no lock remains, and the pool continues',
    async (kind) => {
      const db = open(database.url)
      await db.query('set idle_in_transaction_session_timeout = 0')
      const key = `idle ${name} ${kind}`
      let isFree = false
      const error = await db[kind](async (tx) => {
        await tx.query('select pg_advisory_xact_lock(hashtext($1))', [key])
        // Another caller waits for the lock, and has it before this one queries again.
        await plain.query('select pg_advisory_lock(hashtext($1)), pg_advisory_unlock(hashtext($1))', [key])
        isFree = true
        await tx.query('select 1')
      }).then(
        () => null,
        (cause) => cause,
      )
      expect([isFree, isDatabaseAway(error)]).toEqual([true, true])
      expect(await db.query('select 1 as one')).toEqual([{ one: 1 }])
      await db.close()
    },
  )
})

test('the pool opens no more connections than allowed, and waiting callers are served', async () => {
  const pids = await Promise.all(Array.from({ length: 20 }, () => backend(plain)))
  expect(new Set(pids).size).toBeLessThanOrEqual(2)
})

test('a server that refuses connections is reported with its code', async () => {
  const nowhere = openDb('postgresql://nobody@127.0.0.1:1/none', 1)
  await expect(nowhere.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await nowhere.close()
})
