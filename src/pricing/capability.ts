import type { Capability } from '../capability.ts'
import { partnerSettings, pricingSettings } from './settings.ts'

/** Prices of payments in local currencies. */
export const pricing: Capability = {
  name: 'pricing',
  settings: { api: pricingSettings, worker: partnerSettings },
  tables: { partner_banks: { api: 'select, insert, update' } },
  routes: { public: async () => (await import('./routes.ts')).pricingRoutes },
}
