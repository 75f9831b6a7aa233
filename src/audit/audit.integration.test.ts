import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { businessModel } from '../businesses/model.ts'
import { firstIdAt, newId } from '../platform/ids.ts'
import { type AuditFilter, listAudit } from './listAudit.ts'
import { type Actor, recordAudit, systemActor } from './recordAudit.ts'

let database: TestDatabase
const [business, other] = [newId(), newId()]
const ada: Actor = {
  kind: 'account',
  id: newId(),
  label: 'ada_l@example.com',
  address: '203.0.113.9',
  requestId: 'r1',
}

beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of [business, other])
    await businessModel(database.db.sequelize).create({
      id,
      name: 'B',
      localCurrency: null,
      feePercent: '0',
      fxMarginPercent: '0',
      accepted: null,
    })
  const targets = ['100% off', '100 off', 'a_b', 'aXb', 'back\\slash', 'backslash', 'UPPER']
  for (const target of targets)
    await recordAudit(database.db, ada, { businessId: business, action: 'key.created', target })
  await recordAudit(database.db, systemActor('cowry account'), {
    businessId: business,
    action: 'keyXcreated',
    target: 'by the system',
  })
  await recordAudit(database.db, ada, { businessId: other, action: 'key.created', target: 'of the other' })
  await recordAudit(database.db, ada, { businessId: null, action: 'account.signed_in', target: null })
})
afterAll(() => database?.drop())

const whole = { page: 1, limit: 100, sort: 'ASC' } as const
async function targetsOf(filter: AuditFilter): Promise<(string | null)[]> {
  const { entries, total } = await listAudit(database, filter, whole)
  expect(total).toBe(entries.length)
  return (entries as { target: string | null }[]).map(({ target }) => target)
}

describe('a search finds', () => {
  test.each([
    ['100%', ['100% off']],
    ['%', ['100% off']],
    ['a_b', ['a_b']],
    ['k\\s', ['back\\slash']],
    ['\\', ['back\\slash']],
    ['upper', ['UPPER']],
    ["' or true --", []],
    ['COWRY ', ['by the system']],
    ['y.c', ['100% off', '100 off', 'a_b', 'aXb', 'back\\slash', 'backslash', 'UPPER']],
  ])('the text %s literally, in any case', async (q, targets) =>
    expect(await targetsOf({ businessId: business, q })).toEqual(targets),
  )

  test('by address, actor and whole action', async () => {
    expect(await targetsOf({ businessId: business, q: '203.0.113.' })).toHaveLength(7)
    expect(await targetsOf({ businessId: business, actorId: ada.id ?? '' })).toHaveLength(7)
    expect(await targetsOf({ businessId: business, action: 'keyXcreated' })).toEqual(['by the system'])
    expect(await targetsOf({ businessId: business, action: 'key' })).toEqual([])
    expect(await targetsOf({ businessId: business, action: 'keyXcreated', actorId: ada.id ?? '' })).toEqual(
      [],
    )
  })

  test("the business's own entries, or all entries without a business", async () => {
    expect(await targetsOf({ businessId: other })).toEqual(['of the other'])
    expect(await targetsOf({})).toHaveLength(10)
  })

  test('from a time, inclusive, to a time, exclusive', async () => {
    const [entry] = (await listAudit(database, { businessId: other }, whole)).entries as { at: string }[]
    const at = new Date(entry?.at ?? '').getTime()
    // Postgres keeps microseconds; times of the API have milliseconds.
    await database.db.query('alter table audit_log disable trigger audit_log_keep')
    await database.db.query("update audit_log set at = date_trunc('milliseconds', at)")
    await database.db.query('alter table audit_log enable trigger audit_log_keep')
    expect(await targetsOf({ businessId: other, since: new Date(at), until: new Date(at + 1) })).toEqual([
      'of the other',
    ])
    expect(await targetsOf({ businessId: other, since: new Date(at + 1) })).toEqual([])
    expect(await targetsOf({ businessId: other, until: new Date(at) })).toEqual([])
  })

  test('page by page, in both directions, each entry once', async () => {
    for (const sort of ['ASC', 'DESC'] as const) {
      const { entries } = await listAudit(database, { businessId: business }, { page: 1, limit: 100, sort })
      const seen: object[] = []
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await listAudit(database, { businessId: business }, { page: 1, limit: 3, sort, cursor })
        seen.push(...page.entries)
        cursor = page.nextCursor ?? undefined
        more = cursor !== undefined
      }
      expect(seen).toEqual(entries)
      expect(seen).toHaveLength(8)
    }
  })
})

test('a log of years with busy, quiet and empty months is read in order, by cursor and by page', async () => {
  const id = newId()
  await businessModel(database.db.sequelize).create({
    id,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
  const daysAgo = [900, 899, 898, 897, 500, 499, 400, 250, 249, 248, 70, 45, 40, 32, 31, 30, 3, 2, 1, 0, -20]
  const ids = daysAgo.map((days, n) => {
    const first = firstIdAt(Date.now() - days * 86_400_000)
    return `${first.slice(0, 14)}7000-8000-${String(n).padStart(12, '0')}`
  })
  for (const each of ids)
    await recordAudit(database.db, ada, { businessId: id, action: 'years.made', target: null }, each)
  for (const sort of ['ASC', 'DESC'] as const) {
    const ordered = sort === 'ASC' ? ids : ids.toReversed()
    for (const limit of [1, 2, 3, 4, 7, 20, 21, 22]) {
      const byCursor: object[] = []
      const byPage: object[] = []
      let cursor: string | undefined
      for (let page = 1; page <= Math.ceil(ids.length / limit); page++) {
        const next = await listAudit(database, { businessId: id }, { page: 1, limit, sort, cursor })
        byCursor.push(...next.entries)
        cursor = next.nextCursor ?? undefined
        byPage.push(...(await listAudit(database, { businessId: id }, { page, limit, sort })).entries)
        expect(next.total).toBe(ids.length)
      }
      expect(
        [byCursor, byPage].map((entries) => entries.map((entry) => (entry as { id: string }).id)),
      ).toEqual([ordered, ordered])
    }
  }
})

test.each([
  'update audit_log set actor_label = $$x$$',
  'delete from audit_log',
  'truncate audit_log',
  'delete from audit_log where false',
])('the database refuses: %s', async (sql) => {
  const count = (await targetsOf({})).length
  await expect(database.db.query(sql)).rejects.toThrow('append-only')
  await expect(database.db.tx((tx) => tx.query(sql))).rejects.toThrow('append-only')
  expect(await targetsOf({})).toHaveLength(count)
})

test('an entry is committed or rolled back with its transaction, and writing it twice stores it once', async () => {
  const id = newId()
  const change = {
    businessId: business,
    action: 'test.recorded',
    target: null,
    before: { a: [1] },
    after: { a: 'Ω' },
  }
  const failing = database.db.tx(async (tx) => {
    await recordAudit(tx, ada, change)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await targetsOf({ action: 'test.recorded' })).toEqual([])
  for (let i = 0; i < 2; i++) await recordAudit(database.db, ada, change, id)
  const { entries } = await listAudit(database, { action: 'test.recorded' }, whole)
  const actor = { kind: ada.kind, id: ada.id, label: ada.label }
  expect(entries).toEqual([
    {
      id,
      at: expect.any(String),
      ...change,
      businessName: 'B',
      subject: null,
      actor,
      address: ada.address,
      requestId: ada.requestId,
    },
  ])
})

describe('a search', () => {
  test('counts at most ten thousand, and its pages go on beyond', async () => {
    const id = newId()
    await businessModel(database.db.sequelize).create({
      id,
      name: 'B',
      localCurrency: null,
      feePercent: '0',
      fxMarginPercent: '0',
      accepted: null,
    })
    await database.db.query(
      `insert into audit_log (id, business_id, actor_kind, actor_label, action, target)
       select gen_random_uuid(), $1, 'system', 'test', 'many.made', 'needle ' || n from generate_series(1, 10050) n`,
      [id],
    )
    const page = { page: 1, limit: 2, sort: 'ASC' } as const
    const found = await listAudit(database, { businessId: id, q: 'needle' }, page)
    expect([found.total, found.entries.length, found.nextCursor === null]).toEqual([10_000, 2, false])
    expect((await listAudit(database, { businessId: id }, page)).total).toBe(10_000)
    expect((await listAudit(database, { businessId: id, q: 'needle 1005' }, page)).total).toBe(2)
  })

  test('that takes too long is refused with a hint to narrow it; the connection stays usable', async () => {
    const impatient = { db: database.db, searchMs: 1 }
    const [before] = await database.db.query('show statement_timeout')
    const search = listAudit(impatient, { q: 'nothing of the kind' }, whole)
    await expect(search).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'since', message: expect.stringContaining('shorter time'), code: 'too_large' }],
    })
    const [row] = await database.db.query('show statement_timeout')
    expect(row).toEqual(before)
  })

  test('in a time range finds entries by their shown times', async () => {
    const at = Date.now()
    await recordAudit(database.db, ada, { businessId: business, action: 'time.recorded', target: 'in time' })
    const within = (from: number, to: number) =>
      targetsOf({ q: 'in time', since: new Date(at + from), until: new Date(at + to) })
    expect(await within(-60_000, 60_000)).toEqual(['in time'])
    expect(await within(60_000, 120_000)).toEqual([])
    expect(await within(-120_000, -60_000)).toEqual([])
    expect(
      await targetsOf({
        q: 'in time',
        since: new Date('0001-01-01T00:00:00Z'),
        until: new Date('9999-12-31T23:59:59Z'),
      }),
    ).toEqual(['in time'])
  })
})
