import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { listStakes } from '../src/staking/listStakes.ts'
import { createStack } from '../test/support/stack.ts'
import { makePlan, makeStake } from '../test/support/stakeRow.ts'
import { interleave, ratio, spread } from './measure.ts'
import { progress } from './progress.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'staking'
const [rounds, warmUp, each] = [7, 2, 20]
const stakes = 100_000
const limit = 100
/** Rows of one statement. */
const batch = 5000
const aim = 0.7
const usdc = { contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 }

/**
 * Pages of 100 of 100,000 stakes, with their rewards up to now, next to the same queries without anything
 * computed.
 */
export async function benchStaking(scope: Scope): Promise<Report> {
  const stack = scope.keep(await createStack({ processes: [] }), (opened) => opened.close())
  progress(`making ${stakes} stakes`)
  await makeStakes(stack.db, stack.businessId)
  const request = { page: 1, limit, sort: 'DESC' } as const
  const series = await interleave(bench, { rounds, warmUp }, async () => ({
    bare: await perSecond(() => barePage(stack.db, stack.businessId)),
    pages: await perSecond(() => listStakes(stack, stack.businessId, {}, request)),
  }))
  const ofBare = ratio(series.pages, series.bare)
  const met = ofBare.median >= aim
  return {
    figures: [
      figure(bench, 'the same queries, bare', spread(series.bare), 'pages/s', { ratio: 1 }),
      figure(bench, 'pages with rewards', spread(series.pages), 'pages/s', {
        ratio: ofBare,
        aim: `at least ${aim}`,
        met,
      }),
    ],
    notes: [
      `${rounds} rounds of ${each} pages of ${limit} among ${stakes} stakes of one business, in the process of the bench.`,
    ],
  }
}

async function perSecond(page: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < each; n++) await page()
  return (1000 * each) / (performance.now() - started)
}

/** Copies of one stake, each with its transaction. */
async function makeStakes(db: ModelDb, businessId: string): Promise<void> {
  const planId = await makePlan(db)
  const row = { planId, businessId, from: `0x${'1'.repeat(40)}`, amount: 100_000_000n, token: usdc }
  const first = await makeStake(db, row)
  for (let n = 0; n < stakes; n += batch)
    await db.query(
      `with made as (
       insert into intents select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid()))).*
       from intents i, generate_series(1, $2::int) where i.id = $1 returning id)
     insert into stakes select (jsonb_populate_record(s, jsonb_build_object('id', m.id, 'root_id', m.id))).* from stakes s, made m where s.id = $1`,
      [first, batch],
    )
  await db.query('analyze stakes, intents')
}

/** What a page reads: the count, the ids, the stakes, and their transactions. */
const barePage = (db: ModelDb, businessId: string): Promise<unknown> =>
  db.snapshot(async (tx) => {
    await tx.query('select count(*) from stakes where business_id = $1', [businessId])
    const ids = await tx.query<{ id: string }>(
      'select id from stakes where business_id = $1 order by id desc limit $2',
      [businessId, limit],
    )
    const rows = [businessId, ids.map(({ id }) => id)]
    await tx.query('select * from stakes where business_id = $1 and id = any($2::uuid[])', rows)
    await tx.query(
      'select id, tx_id, status from intents where business_id = $1 and id = any($2::uuid[])',
      rows,
    )
  })
