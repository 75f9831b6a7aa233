import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { Db } from '../platform/database/db.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import { fxResultByDay } from './bank/fxResult.ts'
import { type OutflowStep, outflowSteps } from './context.ts'
import { allSentToday } from './dailyLimit.ts'
import { waitingEnds } from './ends/proposedEnds.ts'
import { createWaitingAges } from './waitingAges.ts'

const kinds = ['payout', 'refund', 'top_up', 'suspense']

/** Counts steps of outflows by kind. */
export function createOutflowCounter(metrics: Metrics): (step: OutflowStep, kind: string) => void {
  const steps = metrics.counter('payout_steps_total', 'Steps of outflows, by what happened', ['step', 'kind'])
  for (const kind of kinds) for (const step of outflowSteps) steps.inc({ step, kind }, 0)
  return (step, kind) => steps.inc({ step, kind })
}

/**
 * Gauges of unknown outflows, and of the treasury's daily limits. Read at each scrape; amounts are
 * approximate, as metrics are.
 */
export function createOutflowMetrics(metrics: Metrics, db: Db, chains: readonly ConfiguredChain[]): void {
  const unknown = shared(async () => {
    const rows = await db.query<{ leg: string; count: number; seconds: number }>(
      `select case when to_address is null then 'bank' else 'wallet' end as leg, count(*)::int as count, extract(epoch from now() - min(updated_at))::float8 as seconds
       from outflows where status = 'unknown' group by 1`,
    )
    return (['wallet', 'bank'] as const).map(
      (leg) => rows.find((row) => row.leg === leg) ?? { leg, count: 0, seconds: 0 },
    )
  })
  metrics.collected(
    'payouts_unknown',
    'Payouts, refunds and top-ups of which it is not known if they have left',
    ['leg'],
    async (gauge) => {
      for (const { leg, count } of await unknown()) gauge.set({ leg }, count)
    },
  )
  metrics.collected(
    'payouts_unknown_age_seconds',
    'Time since the oldest of them became unknown',
    ['leg'],
    async (gauge) => {
      for (const { leg, seconds } of await unknown()) gauge.set({ leg }, seconds)
    },
  )
  const proposed = shared(() => waitingEnds(db))
  metrics.collected(
    'outflow_ends_waiting',
    'Ends of outflows by hand that wait for a second operator',
    [],
    async (gauge) => gauge.set({}, (await proposed()).count),
  )
  metrics.collected(
    'outflow_ends_waiting_age_seconds',
    'Time since the oldest of them was proposed',
    [],
    async (gauge) => gauge.set({}, (await proposed()).seconds),
  )
  createWaitingAges(metrics, db, kinds)
  metrics.collected(
    'payouts_fx_result_usd',
    'What exchanges of bank payouts gained, less what they lost, by UTC day',
    ['day'],
    async (gauge) => {
      for (const { day, result } of await fxResultByDay(db, new Date()))
        gauge.set({ day }, Number(result) / 1e6)
    },
  )
  metrics.collected(
    'treasury_sent_24h',
    'Base units that the treasury has signed for payouts within 24 hours',
    ['chain', 'asset'],
    async (gauge) => {
      gauge.reset()
      for (const chain of chains)
        for (const { symbol } of assetsOf(chain)) gauge.set({ chain: chain.name, asset: symbol }, 0)
      for (const { chain, symbol, sum } of await allSentToday(db))
        gauge.set({ chain, asset: symbol }, Number(sum))
    },
  )
  metrics.collected(
    'treasury_daily_limit',
    'Base units that the treasury pays out within 24 hours at most',
    ['chain', 'asset'],
    (gauge) => {
      gauge.reset()
      for (const { name, dailyLimits } of chains)
        for (const [asset, limit] of dailyLimits) gauge.set({ chain: name, asset }, Number(limit))
    },
  )
}
