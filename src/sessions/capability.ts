import type { Capability } from '../capability.ts'
import { enqueue } from '../platform/database/outbox.ts'
import type { DetectionChange } from '../watches/purposes.ts'
import { checkoutSettings, sessionSettings } from './settings.ts'

const types = {
  'session.created': 'It was created, and waits for its payment.',
  'session.detected': 'A payment was seen, and is not final yet.',
  'session.paid': 'It is paid.',
  'session.paid_out': 'Its automatic payout is completed.',
  'session.underpaid': 'Less came than was requested.',
  'session.overpaid': 'More came than was requested.',
  'session.late': 'A payment came after its deadline.',
  'session.expired': 'Its deadline has passed.',
  'session.cancelled': 'It was cancelled.',
  'session.reversed': 'The chain took a payment back.',
  'session.refunded': 'A refund has arrived.',
}
const incoming = ['api.session-stored', 'api.session-cancelled', 'session-payment.settled'] as const

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof incoming)[number], 'incoming'> {}
}
declare module '../platform/jobs.ts' {
  interface OutboxJobs {
    /** A session whose payments changed or whose time ran out. */
    'session-payment': { sessionId: string; reason: DetectionChange | 'expiry' | 'outflow' | 'excess' }
  }
}
declare module '../watches/purposes.ts' {
  interface WatchPurposes {
    session: true
  }
}

/** Payment sessions: an amount on a chain, due within a time. */
export const sessions: Capability = {
  name: 'sessions',
  settings: {
    api: { variables: { ...sessionSettings.variables, ...checkoutSettings.variables } },
    worker: sessionSettings,
  },
  startApi: async (ctx) => ({
    ...(await import('./checkout/startCheckouts.ts')).startCheckouts(ctx),
    excessHoldDays: ctx.settings(sessionSettings).EXCESS_HOLD_DAYS,
  }),
  routes: {
    public: async () => (await import('./routes.ts')).sessionRoutes,
    shared: async () => (await import('./sharedRoutes.ts')).sharedSessionRoutes,
    dashboard: async () => (await import('./dashboardRoutes.ts')).sessionDashboardRoutes,
  },
  events: [
    {
      topic: 'session',
      label: 'Payment sessions',
      hint: 'The progress of a payment that you requested.',
      types,
    },
  ],
  failpoints: { incoming },
  watches: {
    session: {
      sees: 'payments',
      addsUp: true,
      async publish(tx, detections, reason) {
        const causes = new Map(
          detections.map(({ subjectId, traceparent, requestId }) => [subjectId, { traceparent, requestId }]),
        )
        const payloads = [...causes.keys()].map((sessionId) => ({ sessionId, reason }))
        await enqueue(tx, 'session-payment', payloads, [...causes.values()])
      },
    },
  },
  queues: {
    'session-payment': {
      source: 'outbox',
      direct: true,
      start: async (ctx) => (await import('./sessionPaymentWorker.ts')).sessionPaymentWorker(ctx),
    },
  },
  tables: { session_texts: { api: 'select', worker: 'select, insert' } },
  maintenance: [
    async ({ db, stopping }) => (await import('./search/keepTexts.ts')).keepTexts(db, stopping),
    async ({ db }) => (await import('./openSessions.ts')).foldOpenSessions(db),
    async ({ db }) => (await import('./creditHeld.ts')).creditHeld(db),
  ],
}
