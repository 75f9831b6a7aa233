import type { Capability } from '../capability.ts'
import { partnerSettings, pricingSettings } from './settings.ts'

/** Prices of payments in local currencies. */
export const pricing: Capability = {
  name: 'pricing',
  settings: { api: pricingSettings, worker: partnerSettings },
  tables: {
    partner_banks: { api: 'select, insert, update' },
    partner_rates: { api: 'select, insert, update', worker: 'select, insert, update' },
  },
  routes: { public: async () => (await import('./routes.ts')).pricingRoutes },
  startApi: async ({ settings }) => ({ quoteSeconds: settings(pricingSettings).QUOTE_SECONDS }),
  startWorker: async ({ metrics, db, settings, partner }) => {
    if (!partner) return
    const { createRateMetrics } = await import('./rateMetrics.ts')
    createRateMetrics(metrics, db, { name: 'yellowcard', url: settings(partnerSettings).YELLOWCARD_URL })
  },
}
