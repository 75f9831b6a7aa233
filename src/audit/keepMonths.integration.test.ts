import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { awayFromMidnight } from '../../test/support/awayFromMidnight.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { urlAs } from '../../test/support/template.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { type Db, openDb, openDirect } from '../platform/database/db.ts'
import { firstIdAt, newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createAuditMetrics } from './auditMetrics.ts'
import { keepMonths } from './keepMonths.ts'
import { listAudit } from './listAudit.ts'
import { recordAudit, systemActor } from './recordAudit.ts'
import { setRetention } from './setRetention.ts'
import { strayEntries } from './strayEntries.ts'

await awayFromMidnight()

let database: TestDatabase
let worker: Db
const business = newId()
const dayMs = 86_400_000

beforeAll(async () => {
  database = await createTestDatabase()
  worker = openDb(urlAs('worker', database.url), 3)
  await insertBusiness(database.db, business, 'Shop')
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})

const run = (db = worker, stopping = new AbortController().signal) =>
  keepMonths({
    db,
    log: createLog('test', 'silent'),
    openDirect: () => openDirect(urlAs('worker', database.url), 'test'),
    stopping,
  })
const partitions = async () => {
  const rows = await database.db.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'audit_log'::regclass order by 1`,
  )
  return rows.map(({ name }) => name)
}
const now = new Date()
/** The first of the month that is so many months from now. */
const month = (from: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + from))
const nameOf = (from: number) => `audit_log_p${month(from).toISOString().slice(0, 10).replaceAll('-', '')}`
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => nameOf(from + i))
const idAt = (at: Date): string => firstIdAt(at.getTime()).slice(0, 14) + newId().slice(14)
const middleOf = (from: number) => new Date(month(from).getTime() + 14 * dayMs)

/** An entry as it was written then. */
async function written(then: Date, at = then): Promise<string> {
  const id = idAt(then)
  await database.db.query(
    "insert into audit_log (id, at, business_id, actor_kind, actor_label, action) values ($1, $2, $3, 'system', 'test', 'x.recorded')",
    [id, at, business],
  )
  return id
}
const placeOf = async (id: string) =>
  (
    await database.db.query<{ name: string }>(
      'select tableoid::regclass::text as name from audit_log where id = $1',
      [id],
    )
  )[0]?.name
const ids = async () =>
  (await database.db.query<{ id: string }>('select id from audit_log order by id')).map(({ id }) => id)

/**
 * An empty log as it is when the clock has moved on: with the months from `first` to before `later`, counted
 * from now.
 */
async function layOut(first: number, later: number): Promise<void> {
  const bound = (from: number) => `'${firstIdAt(month(from).getTime())}'`
  await database.db.tx(async (tx) => {
    for (const name of await partitions()) await tx.query(`drop table ${name}`)
    const add = async (name: string, from: string, to: string) => {
      await tx.query(`create table ${name} partition of audit_log for values from (${from}) to (${to})`)
      await tx.query(
        `create trigger audit_log_keep before update or delete or truncate on ${name} for each statement execute function keep_audit_log()`,
      )
    }
    await add('audit_log_earlier', 'minvalue', bound(first))
    for (let from = first; from < later; from++) await add(nameOf(from), bound(from), bound(from + 1))
    await add('audit_log_later', bound(later), 'maxvalue')
  })
  await setRetention(database.db, null)
}

const metricsNow = async () => {
  const metrics = createMetrics('test')
  createAuditMetrics(metrics, worker)
  const text = await metrics.exposition()
  const value = (name: string) => Number(new RegExp(`^cowry_${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    aheadDays: value('partitions_ahead_seconds') / 86_400,
    oldestDays: value('partition_oldest_seconds') / 86_400,
    overdueDays: value('partition_overdue_seconds') / 86_400,
    stray: value('audit_stray_rows'),
  }
}

describe('months', () => {
  test('are made until five months from now, once, however many workers run', async () => {
    await layOut(-1, 2)
    await Promise.all([run(), run(), run()])
    await run()
    expect(await partitions()).toEqual(['audit_log_earlier', 'audit_log_later', ...names(-1, 5)])
    expect((await metricsNow()).aheadDays).toBeGreaterThan(115)
    await run()
    expect(await partitions()).toHaveLength(8)
  })

  test('that no worker made for a year cost no entry: later ones wait in one partition, and go to their months', async () => {
    await layOut(-16, -12)
    const entries = [
      await written(middleOf(-20)),
      await written(middleOf(-14)),
      await written(middleOf(-11)),
      await written(middleOf(-1)),
    ]
    const recorded = newId()
    await recordAudit(
      worker,
      systemActor('test'),
      { businessId: business, action: 'now.recorded', target: null },
      recorded,
    )
    const far = await written(new Date(now.getTime() + 4000 * dayMs), now)
    expect(await Promise.all([...entries, recorded, far].map(placeOf))).toEqual([
      'audit_log_earlier',
      nameOf(-14),
      ...Array.from({ length: 4 }, () => 'audit_log_later'),
    ])
    expect(await metricsNow()).toMatchObject({ stray: 4, aheadDays: expect.any(Number), overdueDays: 0 })
    expect((await metricsNow()).aheadDays).toBeLessThan(0)
    const before = await database.db.query('select * from audit_log order by id')

    await run()
    expect(await database.db.query('select * from audit_log order by id')).toEqual(before)
    expect(await Promise.all([...entries, recorded, far].map(placeOf))).toEqual([
      'audit_log_earlier',
      nameOf(-14),
      nameOf(-11),
      nameOf(-1),
      nameOf(0),
      'audit_log_later',
    ])
    expect(await strayEntries(worker)).toBe(1)
  })

  test('are not made where moving entries would make every change wait for long', async () => {
    await layOut(-3, -1)
    const id = await written(middleOf(-1))
    await database.db.query(`
      create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(20); return null; end';
      create trigger slow after insert on audit_log for each statement execute function slowly()`)
    const started = performance.now()
    await run()
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await placeOf(id)).toBe('audit_log_later')
    await database.db.query('drop trigger slow on audit_log; drop function slowly()')
    await run()
    expect(await placeOf(id)).toBe(nameOf(-1))
  })

  test('that are new have the guards of the log: append-only, references, and what the verification host may add', async () => {
    await layOut(-1, 1)
    await run()
    for (const name of await partitions()) {
      for (const sql of [`update ${name} set target = 'x'`, `delete from ${name}`, `truncate ${name}`])
        await expect(database.db.query(sql)).rejects.toThrow('append-only')
      await expect(worker.query(`select 1 from ${name}`)).rejects.toThrow('permission denied')
    }
    const verification = openDb(urlAs('verification', database.url), 1)
    const add = (action: string, from: number, of = business) =>
      verification.query(
        "insert into audit_log (id, business_id, actor_kind, actor_label, action) values ($1, $2, 'system', 'test', $3)",
        [idAt(middleOf(from)), of, action],
      )
    try {
      for (const from of [-30, 0, 3, 30]) {
        await expect(add('key.created', from)).rejects.toThrow(
          'a role of the verification host alone may not add this',
        )
        await expect(add('verification.read', from, newId())).rejects.toMatchObject({ code: '23503' })
        await add('verification.read', from)
      }
    } finally {
      await verification.close()
    }
  })
})

describe('retention', () => {
  test('is for ever unless the owner of the tables sets it, to a year at least; no process can', async () => {
    await layOut(-40, 5)
    await written(middleOf(-40))
    await run()
    expect(await partitions()).toHaveLength(47)
    expect((await metricsNow()).overdueDays).toBe(0)
    await expect(setRetention(worker, 400)).rejects.toThrow('permission denied')
    await expect(worker.query('update audit_retention set days = 400')).rejects.toThrow('permission denied')
    await expect(setRetention(database.db, 364)).rejects.toMatchObject({ code: '23514' })
  })

  test('drops whole partitions that ended that long ago, and no other; entries that remain are as they were', async () => {
    await layOut(-40, 5)
    const old = [await written(middleOf(-60)), await written(middleOf(-40)), await written(middleOf(-26))]
    const kept = [await written(middleOf(-20)), await written(middleOf(-1)), await written(now)]
    await setRetention(database.db, 730)
    expect((await metricsNow()).overdueDays).toBeGreaterThan(400)
    await run()
    const left = await partitions()
    const cutoff = now.getTime() - 730 * dayMs
    // Until the next one would end later than the retention allows.
    const expected = names(-40, 5).filter((_, i) => month(-40 + i + 1).getTime() > cutoff)
    expect(left).toEqual(['audit_log_earlier', 'audit_log_later', ...expected])
    expect(await ids()).toEqual(kept)
    for (const id of old) expect(await placeOf(id)).toBeUndefined()
    expect(await metricsNow()).toMatchObject({ overdueDays: 0, stray: 0 })
    const { entries, total } = await listAudit(
      database,
      { businessId: business },
      { page: 1, limit: 10, sort: 'ASC' },
    )
    expect([total, entries.map((entry) => (entry as { id: string }).id)]).toEqual([3, kept])
    // Of a process whose clock is years behind.
    const late = await written(middleOf(-60), now)
    expect(await placeOf(late)).toBe('audit_log_earlier')
    await run()
    expect(await placeOf(late)).toBe('audit_log_earlier')
  })

  test('keeps a partition with an entry that is younger than the time of its id', async () => {
    await layOut(-40, 5)
    const [old, young] = [
      await written(middleOf(-39)),
      await written(middleOf(-39), new Date(now.getTime() - 100 * dayMs)),
    ]
    await setRetention(database.db, 400)
    await run()
    expect(await ids()).toEqual([old, young].sort())
    const [row] = await database.db.query<{ days: number }>(
      'select extract(epoch from held_until - now()) / 86400 as days from audit_retention',
    )
    expect(Number(row?.days)).toBeCloseTo(300, 0)
    expect((await metricsNow()).overdueDays).toBeGreaterThan(600)
    // Another retention is decided again.
    await setRetention(database.db, 365)
    await run()
    expect(await ids()).toEqual([old, young].sort())
  })

  test('keeps an entry that a process with a wrong clock writes while its partition is to be replaced', async () => {
    await layOut(-40, 5)
    await setRetention(database.db, 400)
    const before = await partitions()
    let late = ''
    let dropping: Promise<object[]> | undefined
    await database.db.tx(async (tx) => {
      late = idAt(middleOf(-60))
      await tx.query(
        "insert into audit_log (id, actor_kind, actor_label, action) values ($1, 'system', 'test', 'x.recorded')",
        [late],
      )
      dropping = worker.query('select drop_audit_month() as name')
      await waitFor(
        'it waits',
        async () => (await database.db.query('select 1 from pg_locks where not granted')).length > 0,
      )
    })
    expect(await dropping).toEqual([{ name: null }])
    expect(await placeOf(late)).toBe('audit_log_earlier')
    expect(await partitions()).toEqual(before)
  })

  describe('of a partition that is read for long', () => {
    beforeAll(() =>
      database.db.query(`
        alter function drop_audit_month() rename to drop_audit_month_at_once;
        create function drop_audit_month() returns text language plpgsql security definer as
          'begin perform pg_sleep(2.5); return drop_audit_month_at_once(); end';
        grant execute on function drop_audit_month() to public`),
    )
    afterAll(() =>
      database.db.query(
        'drop function drop_audit_month(); alter function drop_audit_month_at_once() rename to drop_audit_month',
      ),
    )

    test('takes as long as it takes', async () => {
      await layOut(-14, 5)
      await setRetention(database.db, 365)
      const before = await partitions()
      // Its answers come within 2.3 seconds, or never.
      const hurried = openDb(urlAs('worker', database.url), 2, { statementMs: 300, waitMs: 300 })
      await run(hurried)
      await hurried.close()
      expect((await partitions()).length).toBeLessThan(before.length)
    })

    test('does not hold up a worker that stops', async () => {
      await layOut(-14, 5)
      await setRetention(database.db, 365)
      const stopping = new AbortController()
      const running = run(worker, stopping.signal)
      const sleeping = () =>
        database.db.query(
          "select 1 from pg_stat_activity where query = 'select drop_audit_month() as name' and state = 'active'",
        )
      await waitFor('the step', async () => (await sleeping()).length > 0)
      const started = performance.now()
      stopping.abort()
      await running
      expect(performance.now() - started).toBeLessThan(1500)
      await waitFor('its end', async () => (await sleeping()).length === 0)
    })
  })

  test('waits while a transaction reads the log, and does not make requests wait for long', async () => {
    await layOut(-40, 5)
    await setRetention(database.db, 400)
    const before = await partitions()
    await database.db.tx(async (tx) => {
      await tx.query('select count(*) from audit_log')
      const started = performance.now()
      const [, id] = await Promise.all([
        run(),
        recordAudit(database.db, systemActor('test'), {
          businessId: business,
          action: 'x.recorded',
          target: null,
        }),
      ])
      expect(id).toBeUndefined()
      expect(performance.now() - started).toBeLessThan(5000)
      expect(await partitions()).toEqual(before)
    })
    await run()
    expect((await partitions()).length).toBeLessThan(before.length)
  })
})

describe('plans', () => {
  interface Plan {
    'Node Type': string
    'Relation Name'?: string
    'Actual Loops': number
    Plans?: Plan[]
  }
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]
  const planOf = async (sql: string) => {
    const [row] = await database.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${sql}`,
    )
    return nodes(row?.['QUERY PLAN'][0].Plan as Plan).filter((node) => node['Relation Name'])
  }
  const read = (all: Plan[]) =>
    all.filter((node) => node['Actual Loops'] > 0).map((node) => node['Relation Name'])

  beforeAll(async () => {
    await layOut(-30, 5)
    for (let from = -30; from <= 0; from += 3)
      await database.db.query(
        `insert into audit_log (id, at, business_id, actor_kind, actor_label, action)
         select rpad(lpad(to_hex((extract(epoch from $1::timestamptz) * 1000)::bigint + n), 12, '0'), 32, '0')::uuid, $1, $2, 'system', 'test', 'x.recorded'
         from generate_series(1, 400) n`,
        [month(from), business],
      )
    await database.db.query('analyze audit_log')
  })

  test('the first page of a business reads the newest partitions only', async () => {
    const plan = await planOf(
      `select * from audit_log where business_id = '${business}' order by id desc limit 20`,
    )
    // The empty months to come, and the newest that has entries.
    expect(read(plan)).toEqual(['audit_log_later', ...names(0, 5).reverse()])
    expect(plan.length).toBeGreaterThan(30)
  })

  test('a list of a time, and the next page, read the partitions of that time', async () => {
    const [from, to] = [firstIdAt(month(-6).getTime()), firstIdAt(month(-5).getTime())]
    expect(
      read(
        await planOf(
          `select * from audit_log where id >= '${from}' and id < '${to}' and action = 'x.recorded' order by id desc limit 20`,
        ),
      ),
    ).toEqual([nameOf(-6)])
    expect(
      read(
        await planOf(
          `select * from audit_log where business_id = '${business}' and id < '${to}' order by id desc limit 20`,
        ),
      ),
    ).toEqual([nameOf(-6)])
  })

  test('an entry is found in its partition by the id alone', async () => {
    const plan = await planOf(`select * from audit_log where id = '${firstIdAt(month(-9).getTime() + 7)}'`)
    expect(plan.map((node) => [node['Relation Name'], node['Node Type']])).toEqual([
      [nameOf(-9), 'Index Scan'],
    ])
  })
})
