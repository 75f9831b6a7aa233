import type { PayoutFailpoint } from '../../src/platform/failpoints.ts'

/** Steps of outflows by the suite that kills processes there. Together they are all (`payoutFailpoints.test.ts`). */
export const payoutSuites = {
  'payoutCrash.integration.test.ts': ['payouts.enqueued', 'payouts.intent-stored', 'payouts.intent-settled'],
} as const satisfies Record<string, readonly PayoutFailpoint[]>
