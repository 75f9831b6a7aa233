import type { Capability } from '../capability.ts'
import { partnerPaymentSettings } from './settings.ts'

/** Reports of payout partners about the payments that they make for us. */
export const partnerPayments: Capability = {
  name: 'partnerPayments',
  settings: { api: partnerPaymentSettings, worker: partnerPaymentSettings },
  tables: {
    partner_payment_states: {
      api: 'select, insert, update (sequence_id, status, updated_at, fetched_at)',
      worker: 'select, insert, update (sequence_id, status, updated_at, fetched_at)',
    },
    partner_turns: { api: 'select, insert, update (next_at)', worker: 'select, insert, update (next_at)' },
  },
  routes: { public: async () => (await import('./routes.ts')).partnerPaymentRoutes },
}
