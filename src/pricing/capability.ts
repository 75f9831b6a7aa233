import type { Capability } from '../capability.ts'
import { openExchangeRates, pricingSettings, rateLimitsOf, workerPricingSettings } from './settings.ts'

/** Prices of payments in local currencies. */
export const pricing: Capability = {
  name: 'pricing',
  settings: { api: pricingSettings, worker: workerPricingSettings },
  tables: {
    partner_banks: { api: 'select, insert, update' },
    rate_feeds: { api: 'select', worker: 'select, insert, update' },
    partner_rates: { api: 'select, insert, update', worker: 'select, insert, update' },
  },
  routes: { public: async () => (await import('./routes.ts')).pricingRoutes },
  startApi: async ({ settings }) => ({ quoteSeconds: settings(pricingSettings).QUOTE_SECONDS }),
  async startWorker({ metrics, db, log, settings, partner, rateFeed, stopping, onStop }) {
    const values = settings(workerPricingSettings)
    const [{ createRateMetrics }, { followFeed }, { createRateBreaker }] = await Promise.all([
      import('./rateMetrics.ts'),
      import('./followFeed.ts'),
      import('./rateBreaker.ts'),
    ])
    const second = { name: openExchangeRates, url: values.OPENEXCHANGERATES_URL }
    createRateMetrics(metrics, db, {
      partner: partner && { name: 'yellowcard', url: values.YELLOWCARD_URL },
      partnerMaxAgeSeconds: values.RATE_MAX_AGE_SECONDS,
      second: rateFeed && second,
      secondMaxAgeSeconds: values.OPENEXCHANGERATES_MAX_AGE_SECONDS,
      maxDifferencePercent: values.RATES_MAX_DIFFERENCE_PERCENT,
    })
    if (!rateFeed) return
    const following = followFeed({
      db,
      log,
      feed: rateFeed,
      breaker: createRateBreaker({ db, log, partner: rateFeed, limits: rateLimitsOf(values) }),
      pollMs: values.OPENEXCHANGERATES_POLL_SECONDS * 1000,
      partnerRates: partner?.rates ?? null,
      stopping,
    })
    onStop(() => following)
  },
}
