import { readOverview } from '../src/overview/readOverview.ts'
import type { ModelDb } from '../src/platform/database/modelDb.ts'
import { coinPrices } from '../src/pricing/coinPrices.ts'
import { addBusiness, addPerson, dashboard, sessionOf } from '../test/support/dashboardSession.ts'
import { createStack } from '../test/support/stack.ts'
import { interleave, quantile, ratio, spread } from './measure.ts'
import { fillSessions } from './overviewRows.ts'
import { type PlanSummary, watchPlans } from './plans.ts'
import { asInProduction } from './processes.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'overview'
const sessions = 500_000
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
    await stack.db.query("update businesses set local_currency = 'NGN' where id = $1", [businessId])
    await fillSessions(stack, businessId, sessions, days)
    const plan = await watchPlans(stack.databaseUrl, (db) =>
      readOverview(
        { db: db as ModelDb, chains: [], rates: null, coinUsd: coinPrices('') },
        { businessId, timeZone: 'Africa/Lagos', reader: { id: owner.id, operator: false } },
      ),
    )
    cases.push({ what, path: `/businesses/${businessId}/overview?timeZone=Africa/Lagos`, plan })
  }
  const series = await interleave(bench, { rounds, warmUp }, async () => {
    const medians: Record<string, number> = {}
    medians['select 1'] = await medianOf(() => stack.db.query('select 1'))
    for (const { what, path } of cases)
      medians[what] = await medianOf(async () => {
        const { status, body } = await dashboard(stack, 'GET', path, undefined, headers)
        if (status !== 200) throw new Error(`the overview answered ${status}: ${JSON.stringify(body)}`)
      })
    return medians
  })
  const of = (what: string) => series[what] ?? []
  return {
    figures: [
      figure(bench, 'select 1, p50', spread(of('select 1')), 'ms', { ratio: 1 }),
      ...cases.map(({ what, plan }): Figure => {
        const times = spread(of(what))
        return figure(bench, `GET overview, sessions of ${what}, p50`, times, 'ms', {
          extra: `${plan.statements} statements, ${digits(plan.rows)} rows examined`,
          ratio: ratio(of(what), of('select 1')),
          aim: `within ${aimMs} ms, by indexes alone`,
          met: times.median <= aimMs && plan.offences.length === 0,
        })
      }),
    ],
    notes: [
      `overview: ${sessions.toLocaleString('en')} sessions of each business; one client, ${rounds} rounds of ${calls} requests through the API's process (cookie, limits, validation of the answer), which reads days that ended every five minutes. Rows are those of a first request. Plans are read by auto_explain.${cases.flatMap(({ what, plan }) => plan.offences.map((each) => ` Exception: ${what}: ${each}.`)).join('')}`,
    ],
  }
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
