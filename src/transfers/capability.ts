import type { Capability } from '../capability.ts'
import { transferPurpose } from './transferPurpose.ts'

const types = {
  'transfer.confirmed': 'It is final.',
  'transfer.failed': 'The chain refused it.',
  'transfer.expired': 'It was in no block in time.',
}
const sending = [
  'api.transfer-claimed',
  'api.transfer-signed',
  'api.transfer-sent',
  'api.transfer-recorded',
  'api.transfer-prepared',
  'api.transfer-queued',
  'api.transfer-cancelled',
] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof sending)[number], 'sending'> {}
}

/** What a customer sends: with a key, signed elsewhere, or from a stored wallet. */
export const transfers: Capability = {
  name: 'transfers',
  routes: {
    public: async () => (await import('./routes.ts')).transferRoutes,
    shared: async () => (await import('./sharedRoutes.ts')).sharedTransferRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).transferDashboardRoutes,
  },
  events: [
    { topic: 'transfer', label: 'Transfers', hint: 'The progress of a transfer that you send.', types },
  ],
  failpoints: { sending },
  intents: [transferPurpose],
  maintenance: [async ({ db }) => (await import('./forgetPrepared.ts')).forgetPrepared(db)],
}
