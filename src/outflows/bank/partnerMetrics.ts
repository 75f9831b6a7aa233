import type { Db } from '../../platform/database/db.ts'
import { labelSets } from '../../platform/telemetry/labelSets.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { createTopUpAge } from '../waitingAges.ts'
import { lastComparison } from './lastComparison.ts'
import { type PartnerAlarm, partnerAlarms } from './outflowPartner.ts'

/** Counts reports of a partner that cannot be right. */
export function createPartnerAlarms(metrics: Metrics): (what: PartnerAlarm) => void {
  const alarms = metrics.counter(
    'partner_alarms_total',
    'Answers of payout partners that cannot be right, and top-ups that did not arrive',
    ['what'],
  )
  for (const what of partnerAlarms) alarms.inc({ what }, 0)
  return (what) => alarms.inc({ what })
}

/** Gauges of a partner's account and of the last comparison with it. Read at each scrape. */
export function createPartnerMetrics(metrics: Metrics, db: Db, partner: string): void {
  const startedAt = Date.now()
  metrics.collected(
    'partner_balance_usd',
    'US dollars in the account at a payout partner, as a worker read it last',
    ['partner'],
    async (gauge) => {
      gauge.reset()
      const [row] = await db.query<{ available: number }>(
        "select available::float8 as available from partner_balances where partner = $1 and currency = 'USD'",
        [partner],
      )
      if (row) gauge.set({ partner }, row.available)
    },
  )
  createTopUpAge(metrics, db, partner)
  metrics.collected(
    'partner_paused',
    '1 while payouts through a partner are paused',
    ['partner'],
    async (gauge) => {
      const rows = await db.query('select 1 from partner_pauses where partner = $1 and resumed_at is null', [
        partner,
      ])
      gauge.set({ partner }, rows.length)
    },
  )
  metrics.collected(
    'outflows_unmatched',
    'What the last comparison with the partner found; 0 when both sides agree',
    ['place'],
    async (gauge) => {
      gauge.resetTo(labelSets({ place: ['partner', 'books', 'balance'] }))
      const last = await lastComparison(db, partner)
      if (!last) return
      for (const place of ['partner', 'books'] as const)
        gauge.set({ place }, last.mismatches.filter((each) => each.place === place).length)
      gauge.set({ place: 'balance' }, last.drift === null || last.drift === 0n ? 0 : 1)
    },
  )
  metrics.collected(
    'outflows_comparison_age_seconds',
    'Time since the last comparison with the partner; before the first, since the start',
    [],
    async (gauge) => {
      gauge.reset()
      const last = await lastComparison(db, partner)
      gauge.set((Date.now() - (last?.at.getTime() ?? startedAt)) / 1000)
    },
  )
}
