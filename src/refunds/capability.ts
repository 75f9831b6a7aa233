import type { Capability } from '../capability.ts'
import { refundSettings } from './settings.ts'

const paying = ['api.refund-stored', 'api.refund-claimed'] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof paying)[number], 'paying'> {}
}

/** Refunds of payment sessions: to an address, or to one that the customer names. */
export const refunds: Capability = {
  name: 'refunds',
  routes: {
    public: async () => (await import('./claimRoutes.ts')).refundClaimRoutes,
    shared: async () => (await import('./routes.ts')).refundRoutes,
  },
  failpoints: { paying },
  settings: { api: refundSettings },
  startApi: async ({ settings }) => ({ refundClaimDays: settings(refundSettings).REFUND_CLAIM_DAYS }),
  tables: {
    refunds: { api: 'select, insert', worker: 'select', treasury: 'select (outflow_id, claim_expires_at)' },
  },
}
