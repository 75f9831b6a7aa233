import { openDirect } from '../src/platform/database/db.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { newId } from '../src/platform/ids.ts'
import { listSessions, type SessionFilter } from '../src/sessions/listSessions.ts'
import { keepTexts } from '../src/sessions/search/keepTexts.ts'
import { checkoutUrl } from '../test/support/checkoutUrl.ts'
import { insertBusiness } from '../test/support/madeBusiness.ts'
import { chains } from '../test/support/sessionDatabase.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { measureLists, type Question } from './lists.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import type { Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'search'
const sessions = 500_000
const aimMs = 100

/** Those of another business. */
const beside = 50_000

/** Lists and searches of a business with many sessions, beside another with some. */
export async function benchSearch(scope: Scope): Promise<Report> {
  const stack = scope.keep(
    await createStack({ chains: ['ethereum', 'bsc'], processes: ['api'], env: asInProduction() }),
    (opened) => opened.close(),
  )
  const other = newId()
  await insertBusiness(stack.db, other)
  await fill(stack, stack.businessId, sessions)
  await fill(stack, other, beside)
  progress('keeping their texts')
  const started = performance.now()
  const before = await walOf(stack)
  const kept = await keepTexts(stack.db)
  const took = performance.now() - started
  const walBytes = ((await walOf(stack)) - before) / kept
  await stack.db.query('vacuum (analyze) session_texts')
  const [middle] = await stack.db.query<{ id: string; tx: string }>(
    `select id from pos_sessions where business_id = $1 and reference = 'INV-0250000'`,
    [stack.businessId],
  )
  const { figures, note } = await measureLists(
    scope,
    stack,
    {
      bench,
      path: '/pos/sessions',
      async answer(db, { page = 1, limit = 20, sort = 'DESC', cursor, ...filter }) {
        const answer = await listSessions(
          { db: db as ModelDb, chains, checkoutUrl },
          stack.businessId,
          { ...filter, ...readOf(filter) } as SessionFilter,
          { page, limit, sort, ...(cursor !== undefined && { cursor }) },
        )
        return { total: answer.total, rows: answer.sessions.length }
      },
    },
    questionsOf(String(middle?.id)),
    aimMs,
  )
  return {
    figures,
    notes: [
      note,
      `search: ${sessions.toLocaleString('en')} sessions of a month, and ${beside.toLocaleString('en')} of another business. ${kept.toLocaleString('en')} sessions of both were kept for searches in ${Math.round(took / 1000)} s, with ${Math.round(walBytes)} bytes of the write-ahead log each.`,
    ],
  }
}

/** Times and states as the API's contract reads them. */
const readOf = ({ since, until, status, exception }: Record<string, string | number>) => ({
  ...(status !== undefined && { status: [status] }),
  ...(exception !== undefined && { exception: [exception] }),
  ...(since !== undefined && { since: new Date(since) }),
  ...(until !== undefined && { until: new Date(until) }),
})

const questionsOf = (middle: string): Question[] => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString()
  return [
    { what: 'first page', query: {} },
    { what: 'page 500', query: { page: 500 } },
    { what: 'middle page, by cursor', query: { cursor: Buffer.from(middle).toString('base64url') } },
    { what: 'status=cancelled', query: { status: 'cancelled' } },
    { what: 'chain=bsc', query: { chain: 'bsc' } },
    { what: 'exception=overpaid', query: { exception: 'overpaid' } },
    { what: 'a day', query: { since: day(11), until: day(10) } },
    { what: 'reference=', query: { reference: 'INV-0123456' } },
    { what: 'a rare part', query: { search: 'v-0123456' }, total: 1 },
    { what: 'a rare part of 100', query: { search: 'inv-01234' }, total: 100 },
    { what: 'a common part (all)', query: { search: 'order' }, total: 1000 },
    { what: 'a common part (one in 50)', query: { search: 'table 17' }, total: 1000 },
    { what: 'a common part (the oldest 20,000 alone)', query: { search: 'summer' }, total: 1000 },
    { what: 'a part in no session', query: { search: 'nowhere' }, total: 0 },
    { what: 'four letters in no session', query: { search: 'zzzz' }, total: 0 },
    { what: 'three letters in no session', query: { search: 'zzz' }, total: 0 },
    { what: 'four digits of addresses', query: { search: 'f00d' } },
    { what: 'a part of an id', query: { search: middle.slice(9, 28) }, total: 1 },
    { what: 'a common part with status=cancelled', query: { search: 'order', status: 'cancelled' } },
    { what: 'a common part with exception=overpaid', query: { search: 'order', exception: 'overpaid' } },
    { what: 'a common part of a day', query: { search: 'order', since: day(11), until: day(10) } },
    { what: 'a common part, page 40', query: { search: 'order', page: 40 }, total: 1000 },
    { what: 'a common part, oldest first', query: { search: 'order', sort: 'ASC' }, total: 1000 },
    {
      what: 'a common part, after a cursor',
      query: { search: 'order', cursor: Buffer.from(middle).toString('base64url') },
    },
    { what: 'an amount of one session', query: { search: '12.34' }, total: 1 },
    { what: 'an amount of one in ten', query: { search: '25.50' }, total: 1000 },
    { what: 'an amount of none', query: { search: '98765.43' }, total: 0 },
    { what: 'a transaction', query: { search: `0x${'ab'.repeat(32)}` }, total: 0 },
  ]
}

/** Sessions of a month: one in 50 cancelled, one in 100 overpaid, one in ten of the same amount. */
async function fill(stack: Stack, businessId: string, count: number): Promise<void> {
  progress(`inserting ${count.toLocaleString('en')} sessions`)
  const direct = await openDirect(stack.databaseUrl, 'cowry bench')
  try {
    await direct.query("set session_replication_role = 'replica'")
    await direct.query(
      `insert into pos_sessions (id, business_id, chain, token, family, address, amount_expected, amount_received, amount_settled,
         local_amount, local_currency, rate, fx_margin_percent, fee, fee_currency, status, exception, required_confirmations,
         label, reference, metadata, created_at, expires_at, paid_at, cancelled_at)
       select gen_random_uuid(), $1::uuid, case when n % 3 = 0 then 'bsc' else 'ethereum' end, 'USDC', 'evm', '0x' || substr(encode(sha256(($1::uuid::text || n)::bytea), 'hex'), 1, 40),
         units, case when status = 'paid' then units else 0 end, case when status = 'paid' then units else 0 end,
         1000 + n, 'NGN', 1550, 1, 1, 'NGN', status, case when n % 100 = 50 then 'overpaid' else 'none' end, 12,
         case when n <= 20000 then 'Summer sale ' || n else 'Order ' || n || ', table ' || n % 50 end, 'INV-' || lpad(n::text, 7, '0'), jsonb_build_object('order', n), at, at + interval '10 minutes',
         case when status = 'paid' then at + interval '2 minutes' end, case when status = 'cancelled' then at + interval '1 minute' end
       from (
         select n, now() - ($2::int - n)::float8 / $2::int * 30 * interval '1 day' as at,
           case when n % 10 = 3 then 25500000 when n = 77777 then 12340000 else 200000000 + n * 7 end::numeric as units,
           case when n % 50 < 43 then 'paid' when n % 50 < 49 then 'expired' else 'cancelled' end as status
         from generate_series(1, $2::int) n
       ) s`,
      [businessId, count],
    )
    await direct.query('vacuum (analyze) pos_sessions')
  } finally {
    await direct.close()
  }
}

async function walOf(stack: Stack): Promise<number> {
  const [row] = await stack.db.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes",
  )
  return Number(row?.bytes)
}
