import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { insertBusiness } from '../../../test/support/madeBusiness.ts'
import { chains } from '../../../test/support/sessionDatabase.ts'
import { urlAs } from '../../../test/support/template.ts'
import { type ModelDb, openModelDb } from '../../platform/database/modelDb.ts'
import { newId } from '../../platform/ids.ts'
import { listSessions, type SessionFilter } from '../listSessions.ts'
import { keepTexts } from './keepTexts.ts'
import { searchedText } from './searchedText.ts'

// A search among sessions of which most are kept in `session_texts`, some wait for a full row of it, and some are
// too new for it, compared with a plain read of all sessions.

const count = 9000
const [business, stranger, late] = [newId(), newId(), newId()]
let database: TestDatabase
/** By the rights of the two processes. */
let api: ModelDb
let worker: ModelDb
let kept: number

beforeAll(async () => {
  database = await createTestDatabase()
  api = openModelDb(urlAs('api', database.url), 2)
  worker = openModelDb(urlAs('worker', database.url), 3)
  for (const id of [business, stranger, late]) await insertBusiness(database.db, id)
  await fill(business, count)
  await fill(stranger, 200)
  await fill(late, 39)
  kept = (await Promise.all([keepTexts(worker), keepTexts(worker)])).reduce((sum, each) => sum + each)
  kept += await keepTexts(worker)
})
afterAll(async () => {
  await Promise.all([api?.close(), worker?.close()])
  await database?.drop()
})

/** Half a minute apart, three a moment; ids are in no order of time. */
const fill = (businessId: string, sessions: number) =>
  database.db.query(
    `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, fx_margin_percent, fee, fee_currency,
       required_confirmations, reference, label, status, created_at, expires_at)
     select gen_random_uuid(), $1::uuid, case when n % 3 = 0 then 'bsc' else 'ethereum' end, 'USDC', 'evm', '0x' || substr(encode(sha256(($1::text || n)::bytea), 'hex'), 1, 40),
       (1 + n % 7) * 1000000, 0, 0, 'USDC', 1, 'INV-' || lpad(n::text, 7, '0'),
       case when n > $2 - 1500 then 'Été ' || n when n % 97 = 0 then E'50%_off\\u001etable\\n' || repeat('Ü', 300) when n % 5 = 0 then 'Order ' || n % 40 end,
       case when n % 100 = 0 then 'cancelled' when n % 4 = 0 then 'pending' else 'expired' end, now() - (n / 3) * interval '30 seconds', now()
     from generate_series(1, $2::int) n`,
    [businessId, sessions],
  )

async function plain(part: string, where = 'true', sort = 'desc'): Promise<string[]> {
  const rows = await database.db.query<{ id: string }>(
    `select id from pos_sessions where business_id = $1 and strpos(${searchedText}, lower($2)) > 0 and ${where} order by created_at ${sort}, id ${sort}`,
    [business, part],
  )
  return rows.map(({ id }) => id)
}

const list = (filter: SessionFilter, more: { cursor?: string; sort?: 'ASC' | 'DESC'; page?: number } = {}) =>
  listSessions({ db: api, chains, checkoutUrl }, business, filter, {
    page: 1,
    limit: 100,
    sort: 'DESC',
    ...more,
  })

async function found(filter: SessionFilter, sort: 'ASC' | 'DESC' = 'DESC'): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await list(filter, { sort, ...(cursor && { cursor }) })
    ids.push(...page.sessions.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return ids
}

test('most sessions are kept once, in rows without gaps, though two processes kept them at once', async () => {
  const [row] = await database.db.query<{ sessions: number; ids: number; pages: number; rows: number }>(
    `select count(*)::int as sessions, count(distinct split_part(text, chr(10), 1))::int as ids, count(distinct last_id)::int as rows,
       (pg_relation_size('session_texts') / 8192)::int as pages
     from session_texts, string_to_table(texts, chr(30)) text where business_id in ($1, $2)`,
    [business, stranger],
  )
  expect(row).toMatchObject({ sessions: kept, ids: kept })
  expect(kept).toBeGreaterThan(count - 150)
  expect(kept).toBeLessThan(count + 200)
  expect(row?.pages).toBeLessThanOrEqual((row?.rows ?? 0) + 2)
  expect(await database.db.query('select from session_texts where business_id = $1', [late])).toEqual([])
  expect(await keepTexts(worker)).toBe(0)
})

describe.each(['DESC', 'ASC'] as const)('a search finds what a plain read finds, %s', (sort) => {
  test.each([
    'INV-',
    'inv-0004',
    '0008999',
    'inv-0000003',
    'order 3',
    'ORDER 35',
    'été 8',
    '50%_OFF',
    'ü'.repeat(200),
    'abc',
    '0xabc',
    'f00d',
    'nothing of it',
    'zzz',
    '%_%',
  ])('%j', async (search) => {
    expect(await found({ search }, sort)).toEqual(await plain(search, 'true', sort))
  })

  const middle = new Date(Date.now() - 5 * 3_600_000)
  const later = new Date(Date.now() - 10 * 60_000)
  test.each([
    [{ search: 'inv-', chain: 'bsc' }, "chain = 'bsc'"],
    [{ search: 'order', status: ['cancelled' as const] }, "status = 'cancelled'"],
    [{ search: 'été', status: ['pending' as const] }, "status = 'pending'"],
    [
      { search: 'order', until: middle, since: new Date(middle.getTime() - 1_800_000) },
      `created_at < '${middle.toISOString()}' and created_at >= '${new Date(middle.getTime() - 1_800_000).toISOString()}'`,
    ],
    [{ search: 'inv-', until: middle }, `created_at < '${middle.toISOString()}'`],
    [{ search: 'inv-', since: later }, `created_at >= '${later.toISOString()}'`],
  ])('with other filters: %j', async (filter, where) => {
    expect(await found(filter, sort)).toEqual(await plain(filter.search, where, sort))
  })
})

test('an amount, or a part: each session once, in order', async () => {
  const ids = await found({ search: '3000000' })
  expect(ids).toEqual(await plain('3000000', 'true'))
  const both = await database.db.query<{ id: string }>(
    `select id from pos_sessions where business_id = $1 and (amount_expected = 3000000 and chain = 'ethereum' or strpos(${searchedText}, '3.0') > 0) order by created_at desc, id desc`,
    [business],
  )
  expect(await found({ search: '3.0' })).toEqual(both.map(({ id }) => id))
})

test('pages by number go on where the one before ended', async () => {
  const all = await plain('inv-')
  const page = await list({ search: 'inv-' }, { page: 7 })
  expect(page.sessions.map(({ id }) => id)).toEqual(all.slice(600, 700))
  expect(page).toMatchObject({ total: 1000, totalPages: 10 })
  expect((await list({ search: 'inv-00001' })).total).toBe(100)
})

test('few are counted whatever the filters, and many as far as the contract says', async () => {
  expect((await list({ search: 'order', status: ['cancelled'] })).total).toBe(
    (await plain('order', "status = 'cancelled'")).length,
  )
  expect((await list({ search: 'inv-', chain: 'bsc' })).total).toBeLessThanOrEqual(1000)
  expect((await list({ search: 'inv-', chain: 'bsc' })).total).toBeGreaterThanOrEqual(100)
})

test('nothing of the texts of another business is found', async () => {
  const [row] = await database.db.query<{ id: string }>(
    'select id from pos_sessions where business_id = $1 order by created_at limit 1',
    [stranger],
  )
  expect(await found({ search: String(row?.id) })).toEqual([])
})
