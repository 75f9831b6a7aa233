import type { Capability } from '../capability.ts'

const types = {
  'verification.completed': 'The person is who they say they are.',
  'verification.failed': 'The check was made, and the person did not pass.',
  'verification.not_found': 'No such identity is known.',
  'verification.error': 'The check could not be made. It costs nothing.',
}
const verifying = [
  'verification.requested',
  'verification.resumed',
  'verification.claimed',
  'verification.answered',
  'verification.ended',
] as const

/** The columns that change after a request; never its owner, kind or price. */
const course =
  'status, answer, reason_code, reason, data_key, attempts, next_attempt_at, queued_at, completed_at, erased_at, erasure_noted_at'

declare module '../events/recordEvents.ts' {
  interface EventTypes extends Record<keyof typeof types, true> {}
}
declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof verifying)[number], 'verifying'> {}
}

/**
 * Identity checks, on a host of their own. Personal data are only read by the process `verification`, which
 * has the key.
 */
export const verification: Capability = {
  name: 'verification',
  routes: { dashboard: async () => (await import('./dashboardRoutes.ts')).verificationDashboardRoutes },
  tables: {
    verification_keys: {
      api: 'select, insert, update',
      verification: 'select, update (last_used_at, last_used_address)',
    },
    verification_prices: { api: 'select, insert, update, delete', verification: 'select' },
    // The api shows them, and has no key of their data.
    verifications: {
      api: `select (id, kind, business_id, request_id, country, id_type, price, status, answer, reason_code, reason, created_at, completed_at, erased_at)`,
      verification: `select, insert, update (${course})`,
    },
    verification_fields: { verification: 'select, insert, delete' },
    verification_stray_files: { verification: 'select, insert, update (drop_after), delete' },
    verification_uploads: { verification: 'select, insert, update (verification_id, use), delete' },
  },
  events: [
    { topic: 'verification', label: 'Verifications', hint: 'The outcome of an identity check.', types },
  ],
  failpoints: { verifying },
}
