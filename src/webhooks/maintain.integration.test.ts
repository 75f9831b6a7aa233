import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { awayFromMidnight } from '../../test/support/awayFromMidnight.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { happen, newBusiness, newEndpoint } from '../../test/support/deliveries.ts'
import { urlAs } from '../../test/support/template.ts'
import { eventTypes } from '../capabilities.ts'
import { getEvent, listEvents } from '../events/listEvents.ts'
import { openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { getDelivery } from './getDelivery.ts'
import { listDeliveries } from './listDeliveries.ts'
import { maintain, weeklyTables } from './maintain.ts'

await awayFromMidnight()

let database: TestDatabase
let businessId: string
const day = 24 * 3_600_000
/** Everything that can follow a fake clock, except the date. */
const everythingElse = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const
const page = { page: 1, limit: 100, sort: 'DESC' } as const

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await newBusiness(database.db)
})

const run = (at = new Date()) =>
  maintain({ db: database.db, log: createLog('test', 'silent'), retentionDays: 90 }, at)
const partitions = async (table: string) => {
  const rows = await database.db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}
const stray = async () => {
  const [row] = await database.db.query<{ n: number }>(
    'select ((select count(*) from events_default) + (select count(*) from webhook_deliveries_default) + (select count(*) from webhook_attempts_default))::int as n',
  )
  return row?.n
}
/** Makes all rows of the business this many days older. */
async function age(days: number): Promise<void> {
  for (const table of ['events', 'webhook_deliveries'])
    await database.db.query(
      `update ${table} set created_at = created_at - $2 * interval '1 day' where business_id = $1`,
      [businessId, days],
    )
  await database.db.query(
    `update webhook_queue q set created_at = d.created_at from webhook_deliveries d where d.id = q.delivery_id and d.business_id = $1`,
    [businessId],
  )
}
const counted = async () =>
  (await listDeliveries({ db: database.db, eventTypes }, businessId, { type: '*' }, page)).total

test('weeks are created five ahead, once, for all three tables', async () => {
  const tables = ['events', 'webhook_deliveries', 'webhook_attempts']
  await run()
  const before = await partitions('events')
  const later = new Date(Date.now() + 28 * day)
  await Promise.all([run(later), run(later), run(later)])
  await run(later)
  const [events = [], ...others] = await Promise.all(tables.map(partitions))
  const weeks = (names: string[]) => names.map((name) => name.replace(/^.*_(?=p\d|default)/, ''))
  expect(events.length - before.length).toBe(4)
  for (const each of others) expect(weeks(each)).toEqual(weeks(events))
  // Monday to Monday, without a gap.
  const mondays = weeks(events).flatMap((name) =>
    name === 'default' ? [] : [Date.parse(`${name.slice(1, 5)}-${name.slice(5, 7)}-${name.slice(7)}`)],
  )
  expect(mondays.every((at) => new Date(at).getUTCDay() === 1)).toBe(true)
  expect(mondays.slice(1).every((at, i) => at - (mondays[i] ?? 0) === 7 * day)).toBe(true)
  expect(Math.max(...mondays)).toBeGreaterThan(later.getTime() + 28 * day)
})

test('rows of now and of four weeks ahead are in their own week, not in a default partition', async () => {
  await newEndpoint(database.db, businessId)
  await happen(database.db, businessId, 3)
  await age(-28)
  expect(await stray()).toBe(0)
})

test('a week that was not made in time gets its rows when it is made: lists, counts and what is due stay as they were', async () => {
  await newEndpoint(database.db, businessId)
  const ids = await happen(database.db, businessId, 3)
  await database.db.query(
    'insert into webhook_attempts (delivery_id, created_at, number) select id, created_at, 1 from webhook_deliveries where business_id = $1',
    [businessId],
  )
  const all = async () => [
    await counted(),
    await Promise.all(ids.map((id) => getDelivery(database, businessId, id))),
    await database.db.query(
      'select * from webhook_queue q where endpoint_id in (select id from webhook_endpoints where business_id = $1) order by 1',
      [businessId],
    ),
    await listEvents(database, businessId, { after: 0, limit: 10 }),
  ]
  const before = await all()
  const monday = new Date(Date.now() - ((new Date().getUTCDay() + 6) % 7) * day)
    .toISOString()
    .slice(0, 10)
    .replaceAll('-', '')
  // As if maintenance had never made this week.
  await database.db.tx(async (tx) => {
    for (const table of weeklyTables) {
      await tx.query(`alter table ${table} detach partition ${table}_p${monday}`)
      await tx.query(`insert into ${table}_default select * from ${table}_p${monday}`)
      await tx.query(`drop table ${table}_p${monday}`)
    }
  })
  expect(await stray()).toBeGreaterThanOrEqual(9)
  expect(await all()).toEqual(before)
  await run()
  expect(await stray()).toBe(0)
  expect(await all()).toEqual(before)
  const [place] = await database.db.query(
    'select distinct tableoid::regclass::text as at from events where business_id = $1',
    [businessId],
  )
  expect(place).toEqual({ at: `events_p${monday}` })
  // Like any other: new events go there, and what the verification host may not add is refused.
  await happen(database.db, businessId, 1)
  expect([await stray(), await counted()]).toEqual([0, 4])
  const verification = openDb(urlAs('verification', database.url), 1)
  const foreign = verification.query(
    "insert into events (id, created_at, business_id, sequence, type, data) values ($1, now(), $2, 999, 'session.paid', '{}')",
    [newId(), businessId],
  )
  await expect(foreign).rejects.toThrow('a role of the verification host alone may not add this')
  await verification.close()
})

describe('an expired week', () => {
  test('is dropped with its events, deliveries, attempts and queue; lists, counts and the feed are right afterwards', async () => {
    await database.db.query(
      "select add_webhook_partition((date_trunc('week', now()) - interval '105 days')::date, (date_trunc('week', now()) - interval '98 days')::date)",
    )
    await newEndpoint(database.db, businessId)
    const old = await happen(database.db, businessId, 4)
    await database.db.query(
      'insert into webhook_attempts (delivery_id, created_at, number) select id, created_at, 1 from webhook_deliveries where business_id = $1',
      [businessId],
    )
    const { event } = await getDelivery(database, businessId, old[0] ?? '')
    const monday = new Date()
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) - 102)
    await age(Math.round((Date.now() - monday.getTime()) / day))
    await database.db.query(
      'update webhook_attempts a set created_at = d.created_at from webhook_deliveries d where d.id = a.delivery_id and d.business_id = $1',
      [businessId],
    )
    const kept = await happen(database.db, businessId, 2)
    expect([await stray(), await counted()]).toEqual([0, 6])
    expect(await listEvents(database, businessId, { after: 0, limit: 10 })).toMatchObject({
      oldestSequence: 1,
      latestSequence: 6,
    })

    const before = (await partitions('events')).length
    await run()
    expect((await partitions('events')).length).toBe(before - 1)
    const { webhooks, total } = await listDeliveries(
      { db: database.db, eventTypes },
      businessId,
      { type: '*' },
      page,
    )
    expect([webhooks.map(({ id }) => id), total]).toEqual([kept.toReversed(), 2])
    await expect(getDelivery(database, businessId, old[0] ?? '')).rejects.toMatchObject({ status: 404 })
    await expect(getEvent(database, businessId, event.id)).rejects.toMatchObject({ status: 404 })
    const feed = await listEvents(database, businessId, { after: 0, limit: 10 })
    expect(feed).toMatchObject({
      oldestSequence: 5,
      latestSequence: 6,
      nextAfter: 6,
      hasMore: false,
      events: [{ sequence: 5 }, { sequence: 6 }],
    })
    const left = await database.db.query(
      'select 1 from webhook_queue where delivery_id = any($1::uuid[]) union all select 1 from webhook_attempts where delivery_id = any($1::uuid[])',
      [old],
    )
    expect(left).toEqual([])
  })

  describe('that ended less than a week before', () => {
    const suffix = () => {
      const monday = new Date()
      // Between 91 and 98 days ago.
      monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) - 98)
      return monday.toISOString().slice(0, 10)
    }
    const isThere = async () =>
      (await Promise.all(weeklyTables.map(partitions))).map((names) =>
        names.some((name) => name.endsWith(suffix().replaceAll('-', ''))),
      )
    beforeEach(() => database.db.query('select add_webhook_partition($1::date, $1::date + 7)', [suffix()]))

    test('stays for that week while deliveries of it are attempted again', async () => {
      await newEndpoint(database.db, businessId)
      await happen(database.db, businessId, 2)
      await age(Math.round((Date.now() - Date.parse(suffix())) / day) - 1)
      expect(await stray()).toBe(0)
      // A Wednesday: on a Sunday the week ended longer ago than it is held.
      const wednesday = Date.parse(suffix()) + 100.5 * day
      await run(new Date(wednesday))
      expect(await isThere()).toEqual([true, true, true])
      await run(new Date(wednesday + 7 * day))
      expect(await isThere()).toEqual([false, false, false])
      expect(await counted()).toBe(0)
    })

    test('stays for no delivery of a paused endpoint', async () => {
      const { endpoint } = await newEndpoint(database.db, businessId)
      await happen(database.db, businessId, 2)
      await age(Math.round((Date.now() - Date.parse(suffix())) / day) - 1)
      await database.db.query(
        "update webhook_endpoints set status = 'paused', paused_reason = 'owner', paused_at = now() where id = $1",
        [endpoint.id],
      )
      await run()
      expect(await isThere()).toEqual([false, false, false])
    })

    test('is dropped where nothing of it is open', async () => {
      await run()
      expect(await isThere()).toEqual([false, false, false])
    })
  })

  test('stays while a transaction holds it, and is dropped at the next run', async () => {
    await database.db.query(
      "select add_webhook_partition((date_trunc('week', now()) - interval '133 days')::date, (date_trunc('week', now()) - interval '126 days')::date)",
    )
    const before = (await partitions('webhook_attempts')).length
    await database.db.tx(async (tx) => {
      await tx.query('select count(*) from webhook_attempts')
      await run()
      expect((await partitions('webhook_attempts')).length).toBe(before)
    })
    await run()
    expect((await partitions('webhook_attempts')).length).toBe(before - 1)
  })
})

describe('a process with a wrong clock', () => {
  const wrong = (days: number) =>
    jest.useFakeTimers({ now: Date.now() + days * day, doNotFake: [...everythingElse] })
  afterEach(() => void jest.useRealTimers())

  test.each([-400, 400])('by %i days drops nothing, and creates the coming weeks', async (days) => {
    await newEndpoint(database.db, businessId)
    const ids = await happen(database.db, businessId, 2)
    const before = await partitions('events')
    wrong(days)
    await maintain({ db: database.db, log: createLog('test', 'silent'), retentionDays: 90 })
    jest.useRealTimers()
    expect(await partitions('events')).toEqual(before)
    expect((await getDelivery(database, businessId, ids[0] ?? '')).status).toBe('pending')
  })

  test.each([-400, 400])(
    "by %i days gives events the database's time, to the millisecond, in the order of their numbers",
    async (days) => {
      wrong(days)
      const ids = [...(await happen(database.db, businessId)), ...(await happen(database.db, businessId))]
      jest.useRealTimers()
      const rows = await database.db.query<{ at: string; now: boolean; exact: boolean }>(
        `select created_at::text as at, abs(extract(epoch from now() - created_at)) < 3600 as now, created_at = date_trunc('milliseconds', created_at) as exact
       from events where business_id = $1 order by sequence`,
        [businessId],
      )
      expect(rows).toEqual(ids.map(() => ({ at: expect.any(String), now: true, exact: true })))
      expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort())
      for (const id of ids)
        expect(await getDelivery(database, businessId, id)).toMatchObject({
          status: 'pending',
          event: { type: 'transaction.detected' },
        })
    },
  )
})

test('a week is not made where moving its rows would make every change wait for long; and only a Monday starts one', async () => {
  await newEndpoint(database.db, businessId)
  await happen(database.db, businessId, 1)
  const [last] = (await partitions('events')).filter((name) => name !== 'events_default').slice(-1)
  const suffix = last?.slice(-8)
  for (const table of weeklyTables) await database.db.query(`drop table ${table}_p${suffix}`)
  await database.db.query(`
    create function slowly() returns trigger language plpgsql as
      'begin if current_query() like ''%add_webhook_week%'' then perform pg_sleep(20); end if; return null; end';
    create trigger slow after delete on events_default for each statement execute function slowly()`)
  const at = new Date(
    Date.parse(`${suffix?.slice(0, 4)}-${suffix?.slice(4, 6)}-${suffix?.slice(6)}`) - 35 * day,
  )
  try {
    const started = performance.now()
    await run(at)
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(await partitions('events')).not.toContain(last)
  } finally {
    await database.db.query('drop trigger slow on events_default; drop function slowly()')
  }
  await run(at)
  expect(await partitions('events')).toContain(last)
  await expect(database.db.query("select add_webhook_week('2026-11-24')")).rejects.toThrow(
    '2026-11-24 is no Monday',
  )
})

test('rows outside every week are also dropped by age, and no longer counted', async () => {
  await newEndpoint(database.db, businessId)
  await happen(database.db, businessId, 3)
  await age(400)
  await happen(database.db, businessId, 1)
  expect([await stray(), await counted()]).toEqual([6, 4])
  await run()
  expect([await stray(), await counted()]).toEqual([0, 1])
})

test('deliveries without an endpoint fail after a day; younger ones wait', async () => {
  await happen(database.db, businessId, 2)
  await age(2)
  await happen(database.db, businessId, 1)
  await run()
  expect(
    (
      await listDeliveries(
        { db: database.db, eventTypes },
        businessId,
        { type: '*', status: ['failed'] },
        page,
      )
    ).total,
  ).toBe(2)
  expect(
    (
      await listDeliveries(
        { db: database.db, eventTypes },
        businessId,
        { type: '*', status: ['pending'] },
        page,
      )
    ).total,
  ).toBe(1)
})

test('counts fold into one row each, or no row at zero, while others are added', async () => {
  await newEndpoint(database.db, businessId)
  const adding = Promise.all(Array.from({ length: 20 }, () => happen(database.db, businessId)))
  for (let n = 0; n < 5; n++) await run()
  await adding
  await database.db.query("update webhook_deliveries set status = 'delivered' where business_id = $1", [
    businessId,
  ])
  await run()
  expect(
    await database.db.query('select status, n::int from webhook_delivery_counts where business_id = $1', [
      businessId,
    ]),
  ).toEqual([{ status: 'delivered', n: 20 }])
})
