import { loadavg } from 'node:os'
import { readOverview } from '../src/overview/readOverview.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { coinPrices } from '../src/pricing/coinPrices.ts'
import { addBusiness, addPerson, dashboard, sessionOf } from '../test/support/dashboardSession.ts'
import { createStack, type Stack } from '../test/support/stack.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { fillSessions } from './overviewRows.ts'
import { type PlanSummary, watchPlans } from './plans.ts'
import { asInProduction } from './processes.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'overview'
/** As many as a large business has, or so many that they are inserted in a minute. */
const sessions = process.argv.includes('--long') ? 500_000 : 50_000
const settled = 1000
const [rounds, warmUp, calls] = [5, 1, 20]
const aimMs = 200

/** The dashboard's first page, of a business whose sessions came in a year, and of one that had as many in a month. */
export async function benchOverview(scope: Scope): Promise<Report> {
  const stack = scope.keep(
    await createStack({ chains: ['ethereum', 'base'], processes: ['api'], env: asInProduction() }),
    (opened) => opened.close(),
  )
  const owner = await addPerson(stack)
  const { headers } = await sessionOf(stack, owner)
  const cases: { what: string; path: string; plan: PlanSummary }[] = []
  for (const [what, days] of [
    ['a year', 365],
    ['a month', 30],
  ] as const) {
    const businessId = await addBusiness(stack, owner)
    await stack.db.query(
      "update businesses set local_currency = 'NGN', time_zone = 'Africa/Lagos' where id = $1",
      [businessId],
    )
    await fillSessions(stack, businessId, sessions, days)
    const plan = await watchPlans(stack.databaseUrl, (db) =>
      readOverview(
        { db: db as ModelDb, chains: [], rates: null, coinUsd: coinPrices('') },
        { businessId, timeZone: null, reader: { id: owner.id, operator: false } },
      ),
    )
    cases.push({ what, path: `/businesses/${businessId}/overview`, plan })
  }
  const series = await interleave(bench, { rounds, warmUp }, async () => {
    const medians: Record<string, number> = {}
    medians['select 1'] = await medianOf(() => stack.db.query('select 1'))
    for (const { what, path } of cases)
      medians[what] = await medianOf(async () => {
        const { status, body } = await dashboard(stack, 'GET', path, undefined, headers)
        if (status !== 200) throw new Error(`the overview answered ${status}: ${JSON.stringify(body)}`)
      })
    medians.noted = await settleMs(stack, true)
    medians.unnoted = await settleMs(stack, false)
    return medians
  })
  const of = (what: string) => series[what] ?? []
  return {
    figures: [
      figure(bench, 'select 1, p50', spread(of('select 1')), 'ms', { ratio: 1 }),
      ...cases.map(({ what, plan }): Figure => {
        const times = spread(of(what))
        return figure(bench, `GET overview, sessions of ${what}, p50`, times, 'ms', {
          extra: `${plan.statements} statements, ${digits(plan.rows)} rows examined, ${digits(plan.buffers)} buffers`,
          ratio: ratio(of(what), of('select 1')),
          aim: `within ${aimMs} ms, by indexes alone`,
          met: times.median <= aimMs && plan.offences.length === 0,
        })
      }),
      figure(bench, `${settled} sessions paid, changes noted`, spread(of('noted')), 'ms', {
        extra: 'the statement of the session alone, without its payments, entries and events',
        ratio: ratio(of('noted'), of('unnoted')),
      }),
      figure(bench, `${settled} sessions paid, not noted`, spread(of('unnoted')), 'ms', { ratio: 1 }),
    ],
    notes: [
      `load of the machine ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')} in 1, 5 and 15 minutes.`,
      ...cases.map(({ what, plan }) => `EXPLAIN of ${what}: ${plan.scans.join('; ')}.`),
      `${sessions.toLocaleString('en')} sessions of each business; one client, ${rounds} rounds of ${calls} requests through the API's process (cookie, limits, validation of the answer); 1,000 changes are not folded. Rows are those of a first request. Plans are read by auto_explain.${cases.flatMap(({ what, plan }) => plan.offences.map((each) => ` Exception: ${what}: ${each}.`)).join('')}`,
    ],
  }
}

/** Time of as many sessions that are paid in one transaction, which is taken back. */
async function settleMs(stack: Stack, isNoted: boolean): Promise<number> {
  let ms = 0
  const takenBack = new Error('taken back')
  await stack.db
    .tx(async (tx) => {
      if (!isNoted) await tx.query('alter table pos_sessions disable trigger pos_sessions_taken_changed')
      const ids = await tx.query<{ id: string }>(
        `update pos_sessions set status = 'pending', paid_at = null, amount_settled = 0 where id in (select id from pos_sessions where status = 'paid' limit ${settled}) returning id`,
      )
      const started = performance.now()
      await tx.query(
        `do $$ declare each uuid; begin
           foreach each in array '{${ids.map(({ id }) => id).join(',')}}'::uuid[] loop
             update pos_sessions set status = 'paid', paid_at = now(), amount_settled = amount_expected, amount_received = amount_expected where id = each;
           end loop; end $$`,
      )
      ms = performance.now() - started
      throw takenBack
    })
    .catch((error) => {
      if (error !== takenBack) throw error
    })
  return ms
}

async function medianOf(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < calls; n++) {
    const started = performance.now()
    await ask()
    times.push(performance.now() - started)
  }
  return quantile(times, 0.5)
}
