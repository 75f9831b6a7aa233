import type { Db } from '../platform/database/db.ts'
import { type Metrics, shared } from '../platform/telemetry/metrics.ts'
import { middle } from './rates.ts'
import { differencePercent } from './saferRate.ts'
import { openExchangeRates } from './settings.ts'
import { type RateSource, readStoredRates, type StoredRate } from './storedRates.ts'

export interface MeasuredRates {
  /** Null without a payout partner. */
  partner: RateSource | null
  partnerMaxAgeSeconds: number
  /** Null without a second source. */
  second: RateSource | null
  secondMaxAgeSeconds: number
  maxDifferencePercent: number
}

/** Gauges of rates, read at each scrape; approximate, as metrics are. Without a source there are none. */
export function createRateMetrics(metrics: Metrics, db: Db, of: MeasuredRates): void {
  const sources = [of.partner, of.second].filter((each) => each !== null)
  if (sources.length === 0) return
  const stored = shared(() =>
    Promise.all(sources.map(async (source) => ({ source, rates: await readStoredRates(db, source) }))),
  )
  const each = async () =>
    (await stored()).flatMap(({ source, rates }) => rates.map((rate) => ({ ...rate, source: source.name })))
  metrics.collected(
    'rate',
    'Mid rates for a US dollar: the last accepted one, and the last answer where it is refused',
    ['currency', 'kind', 'source'],
    async (gauge) => {
      gauge.reset()
      for (const { currency, source, accepted, refused } of await each()) {
        if (accepted)
          gauge.set({ currency, kind: 'accepted', source }, Number(middle(accepted.buy, accepted.sell)))
        if (refused)
          gauge.set({ currency, kind: 'refused', source }, Number(middle(refused.buy, refused.sell)))
      }
    },
  )
  metrics.collected(
    'rate_refused_seconds',
    "Time since a currency's rates are refused; 0: the last one was accepted",
    ['currency', 'source'],
    async (gauge) => {
      gauge.reset()
      for (const { currency, source, refused } of await each())
        gauge.set(
          { currency, source },
          refused ? Math.max((Date.now() - refused.since.getTime()) / 1000, 0) : 0,
        )
    },
  )
  createAge(metrics, stored, of)
  createDifference(metrics, stored, of)
}

/** How old the newest answer of the second source is, also where the limits refuse its rates; 0 without it. */
function createAge(
  metrics: Metrics,
  stored: () => Promise<{ source: RateSource; rates: StoredRate[] }[]>,
  { second, secondMaxAgeSeconds }: MeasuredRates,
): void {
  const startedAt = Date.now()
  const name = second?.name ?? openExchangeRates
  metrics.collected(
    'rate_source_age_seconds',
    'Age of the newest rate of the second source; before the first one, the time since the worker started',
    ['source'],
    async (gauge) => {
      if (!second) return gauge.set({ source: name }, 0)
      const rates = (await stored()).find(({ source }) => source.name === name)?.rates ?? []
      const times = rates.flatMap(({ accepted, refused }) =>
        [accepted, refused].flatMap((each) => (each ? [each.at.getTime()] : [])),
      )
      const newest = times.length === 0 ? startedAt : Math.max(...times)
      gauge.set({ source: name }, Math.max((Date.now() - newest) / 1000, 0))
    },
  )
  metrics.collected(
    'rate_source_max_age_seconds',
    'OPENEXCHANGERATES_MAX_AGE_SECONDS: no price takes an older rate of the source',
    ['source'],
    async (gauge) => gauge.set({ source: name }, secondMaxAgeSeconds),
  )
}

/** How far the partner and the second source are apart, where both have a rate that prices use; else 0. */
function createDifference(
  metrics: Metrics,
  stored: () => Promise<{ source: RateSource; rates: StoredRate[] }[]>,
  of: MeasuredRates,
): void {
  metrics.collected(
    'rates_difference_limit_percent',
    'RATES_MAX_DIFFERENCE_PERCENT: above it the lower rate is used',
    [],
    async (gauge) => gauge.set({}, of.maxDifferencePercent),
  )
  metrics.collected(
    'rates_difference_percent',
    'Difference of the rates of the partner and of the second source, in percent of the lower one',
    ['currency'],
    async (gauge) => {
      gauge.resetTo([{ currency: 'USD' }])
      if (!of.partner || !of.second) return
      const [ofPartner, ofSecond] = await stored()
      const others = new Map(usable(ofSecond?.rates ?? [], of.secondMaxAgeSeconds))
      for (const [currency, rate] of usable(ofPartner?.rates ?? [], of.partnerMaxAgeSeconds)) {
        const other = others.get(currency)
        if (other !== undefined) gauge.set({ currency }, differencePercent(rate, other))
      }
    },
  )
}

const usable = (rates: readonly StoredRate[], maxAgeSeconds: number): [string, string][] =>
  rates.flatMap(({ currency, accepted }): [string, string][] =>
    accepted && Date.now() - accepted.at.getTime() <= maxAgeSeconds * 1000
      ? [[currency, middle(accepted.buy, accepted.sell)]]
      : [],
  )
