import type { Db } from '../platform/database/db.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import { middle } from './rates.ts'
import { type RateSource, readStoredRates } from './storedRates.ts'

/** Gauges of the partner's rates, read at each scrape; approximate, as metrics are. */
export function createRateMetrics(metrics: Metrics, db: Db, partner: RateSource): void {
  const stored = shared(() => readStoredRates(db, partner))
  metrics.collected(
    'rate',
    'Mid rates for a US dollar: the last accepted one, and the last answer where it is refused',
    ['currency', 'kind'],
    async (gauge) => {
      gauge.reset()
      for (const { currency, accepted, refused } of await stored()) {
        if (accepted) gauge.set({ currency, kind: 'accepted' }, Number(middle(accepted.buy, accepted.sell)))
        if (refused) gauge.set({ currency, kind: 'refused' }, Number(middle(refused.buy, refused.sell)))
      }
    },
  )
  metrics.collected(
    'rate_refused_seconds',
    "Time since a currency's rates are refused; 0: the last one was accepted",
    ['currency'],
    async (gauge) => {
      gauge.reset()
      for (const { currency, refused } of await stored()) {
        gauge.set({ currency }, refused ? Math.max((Date.now() - refused.since.getTime()) / 1000, 0) : 0)
      }
    },
  )
}
