import type { Capability } from '../capability.ts'
import { refundSettings } from './settings.ts'

const types = {
  'refund.created': 'It was created.',
  'refund.claimed': 'Its customer has named an address.',
  'refund.sent': 'It may have left.',
  'refund.completed': 'It has arrived.',
  'refund.failed': 'It was not paid; its money is available again.',
  'refund.cancelled': 'It was cancelled before it left.',
  'refund.expired': 'Its link was not used in time; its money is available again.',
  'refund.unknown': 'It is not known if it was paid.',
}
const paying = ['api.refund-stored', 'api.refund-claimed'] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
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
  events: [{ topic: 'refund', label: 'Refunds', hint: 'The progress of a refund.', types }],
  outflowEvents: { refund: async () => (await import('./refundEvents.ts')).refundEvents },
  failpoints: { paying },
  settings: { api: refundSettings },
  startApi: async ({ settings }) => ({ refundClaimDays: settings(refundSettings).REFUND_CLAIM_DAYS }),
  tables: {
    refunds: { api: 'select, insert', worker: 'select', treasury: 'select (outflow_id, claim_expires_at)' },
  },
}
