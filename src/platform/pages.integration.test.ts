import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DataTypes, type Model } from 'sequelize'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { businessModel } from '../businesses/model.ts'
import { defineModel } from './database/defineModel.ts'
import { ApiError } from './errors.ts'
import { firstIdAt, newId } from './ids.ts'
import { createdSql, createdWithin, findPage, type PageRequest, splitQuery } from './pages.ts'

const naming = (field: string) =>
  expect.objectContaining({ status: 400, fields: [expect.objectContaining({ field })] })
const failure = async (run: () => unknown) => {
  try {
    await run()
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    return error
  }
  return 'nothing was thrown'
}

describe('the query of a list', () => {
  test('is split into its page, with defaults, and its filter', () => {
    const query: { status: string; chain: string; page?: number } = { status: 'paid', chain: 'ethereum' }
    expect(splitQuery(query)).toEqual({
      filter: { status: 'paid', chain: 'ethereum' },
      request: { page: 1, limit: 20, sort: 'DESC' },
    })
    expect(splitQuery({ page: 3, limit: 5, sort: 'ASC' as const, cursor: 'c', type: 'x' })).toEqual({
      filter: { type: 'x' },
      request: { page: 3, limit: 5, sort: 'ASC', cursor: 'c' },
    })
  })

  test.each([
    [1, 20],
    [500, 20],
    [100, 100],
    [10_000, 1],
  ])('reaches page %i of %i', (page, limit) => {
    expect(() => splitQuery({ page, limit })).not.toThrow()
  })

  test.each([
    [501, 20],
    [101, 100],
    [10_001, 1],
    [Number.MAX_SAFE_INTEGER, 100],
  ])('that requests page %i of %i is a 400 that names page', async (page, limit) => {
    expect(await failure(() => splitQuery({ page, limit }))).toEqual(naming('page'))
  })

  test('accepts any page together with a cursor, which takes precedence', () => {
    expect(() => splitQuery({ page: 1_000_000, limit: 100, cursor: 'x' })).not.toThrow()
  })
})

interface CountedRow extends Model {
  id: string
}
const countedModel = defineModel<CountedRow>(
  'Counted',
  { id: { type: DataTypes.UUID, primaryKey: true }, someName: DataTypes.TEXT },
  { tableName: 'counted', timestamps: false },
)

describe('a page of rows', () => {
  let database: TestDatabase
  const ids = Array.from({ length: 25 }, newId)
  const others = [newId(), newId()]

  beforeAll(async () => {
    database = await createTestDatabase()
    await database.db.query(
      "insert into businesses (id, name) select id, 'listed' from unnest($1::uuid[]) as id",
      [ids],
    )
    await database.db.query(
      "insert into businesses (id, name) select id, 'other' from unnest($1::uuid[]) as id",
      [others],
    )
  })
  afterAll(() => database?.drop())

  const find = async (request: Partial<PageRequest>) => {
    const { rows, page } = await findPage(
      businessModel(database.db.sequelize),
      { name: 'listed' },
      { page: 1, limit: 10, sort: 'ASC', ...request },
    )
    return { ids: rows.map((row) => row.id), page }
  }

  test('is the first, middle and last of the filtered rows', async () => {
    expect(await find({})).toEqual({
      ids: ids.slice(0, 10),
      page: { total: 25, page: 1, limit: 10, totalPages: 3, nextCursor: expect.any(String) },
    })
    expect((await find({ page: 2 })).ids).toEqual(ids.slice(10, 20))
    expect(await find({ page: 3 })).toEqual({
      ids: ids.slice(20),
      page: { total: 25, page: 3, limit: 10, totalPages: 3, nextCursor: null },
    })
    expect(await find({ page: 4 })).toEqual({
      ids: [],
      page: { total: 25, page: 4, limit: 10, totalPages: 3, nextCursor: null },
    })
  })

  test('has the newest first if requested', async () => {
    expect((await find({ sort: 'DESC', limit: 4 })).ids).toEqual(ids.toReversed().slice(0, 4))
  })

  test('of nothing reports no pages', async () => {
    const { page } = await findPage(
      businessModel(database.db.sequelize),
      { name: 'nobody' },
      { page: 1, limit: 10, sort: 'ASC' },
    )
    expect(page).toEqual({ total: 0, page: 1, limit: 10, totalPages: 0, nextCursor: null })
  })

  test.each([101, 10_000, 10_001])('of %i rows counts them, up to 10,000', async (rows) => {
    const { db } = database
    await db.query('create table if not exists counted (id uuid primary key, some_name text)')
    await db.query('truncate counted')
    await db.query(
      "insert into counted select gen_random_uuid(), case when n > $1 then 'other' end from generate_series(1, $1::int + 5) n",
      [rows],
    )
    const total = Math.min(rows, 10_000)
    const { page } = await findPage(
      countedModel(db.sequelize),
      { someName: null },
      { page: 1, limit: 10, sort: 'ASC' },
    )
    expect(page).toMatchObject({ total, totalPages: Math.ceil(total / 10) })
  })

  test('by page: all pages together are each row once, for any length and direction', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('ASC' as const, 'DESC' as const),
        async (limit, sort) => {
          const { totalPages } = (await find({ limit, sort })).page
          const pages = await Promise.all(
            Array.from({ length: totalPages }, (_, i) => find({ limit, sort, page: i + 1 })),
          )
          expect(pages.flatMap((each) => each.ids)).toEqual(sort === 'ASC' ? ids : ids.toReversed())
        },
      ),
      { numRuns: 10 },
    )
  })

  test('by cursor: following it yields each row once and ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom('ASC' as const, 'DESC' as const),
        async (limit, sort) => {
          const seen: string[] = []
          let cursor: string | null | undefined
          for (let pages = 0; cursor !== null; pages++) {
            expect(pages).toBeLessThanOrEqual(Math.ceil(25 / limit) + 1)
            const { ids, page } = await find({ limit, sort, cursor })
            if (page.nextCursor !== null) expect(page.nextCursor).toMatch(/^[\w-]+$/)
            seen.push(...ids)
            cursor = page.nextCursor
          }
          expect(seen).toEqual(sort === 'ASC' ? ids : ids.toReversed())
        },
      ),
      { numRuns: 10 },
    )
  })

  test('by cursor: rows added meanwhile shift nothing', async () => {
    const first = await find({ limit: 10, sort: 'DESC' })
    const added = newId()
    await insertBusiness(database.db, added, 'listed')
    const second = await find({ limit: 10, sort: 'DESC', cursor: first.page.nextCursor ?? '' })
    expect([...first.ids, ...second.ids]).toEqual(ids.toReversed().slice(0, 20))
    await database.db.query('delete from businesses where id = $1', [added])
  })

  test('after an invalid cursor is a 400 that names cursor', async () => {
    const made = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.string().map((text) => Buffer.from(text).toString('base64url')),
    )
    await fc.assert(
      fc.asyncProperty(made, async (cursor) =>
        expect(await failure(() => find({ cursor }))).toEqual(naming('cursor')),
      ),
      { numRuns: 30 },
    )
  })
})

describe('rows created within times', () => {
  let database: TestDatabase
  const hourMs = 3_600_000
  const middle = Date.UTC(2020, 5, 15)
  /** Times a quarter of an hour apart; the clock that made their ids is ahead of these, or behind. */
  const rows = Array.from({ length: 21 }, (_, i) => {
    const at = middle + (i - 10) * (hourMs / 4)
    const driftMs = [0, hourMs - 1, 1 - hourMs][i % 3] as number
    return { at, id: firstIdAt(at + driftMs).slice(0, -4) + String(i).padStart(4, '0') }
  })

  beforeAll(async () => {
    database = await createTestDatabase()
    await database.db.query(
      `insert into businesses (id, name, created_at)
       select id, 'timed', to_timestamp(at / 1000.0) from unnest($1::uuid[], $2::bigint[]) as t(id, at)`,
      [rows.map(({ id }) => id), rows.map(({ at }) => at)],
    )
  })
  afterAll(() => database?.drop())

  const [first, last] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')]
  const bound = fc.option(
    fc.oneof(
      fc.constantFrom(first, last, new Date(0)),
      fc
        .constantFrom(...rows.map(({ at }) => at))
        .chain((at) => fc.constantFrom(at, at + 1).map((ms) => new Date(ms))),
    ),
    { nil: undefined },
  )

  test('are those of these times, by the model and in SQL, though clocks differ by almost an hour', async () => {
    await fc.assert(
      fc.asyncProperty(bound, bound, async (since, until) => {
        const expected = rows
          .filter(({ at }) => (!since || at >= since.getTime()) && (!until || at < until.getTime()))
          .map(({ id }) => id)
          .sort()
        const ofModel = await businessModel(database.db.sequelize).findAll({
          where: { name: 'timed', ...createdWithin({ since, until }) },
          order: ['id'],
        })
        expect(ofModel.map(({ id }) => id)).toEqual(expected)
        for (const id of ['id', null]) {
          const ofSql = await database.db.query<{ id: string }>(
            `select id from businesses where name = 'timed'${createdSql('created_at', id, 1)} order by id`,
            [since ?? null, until ?? null],
          )
          expect(ofSql.map((row) => row.id)).toEqual(expected)
        }
      }),
      {
        numRuns: 60,
        examples: [
          [first, last],
          [new Date(0), last],
          [undefined, first],
        ],
      },
    )
  })
})
