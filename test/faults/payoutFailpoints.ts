import type { PayoutFailpoint } from '../../src/platform/failpoints.ts'

/**
 * Steps of outflows by the suite that kills processes there. Together they are all
 * (`payoutFailpoints.test.ts`).
 */
export const payoutSuites = {
  'bulkCrash.integration.test.ts': ['api.batch-stored', 'api.batch-approved'],
  'payoutCrash.integration.test.ts': ['payouts.enqueued', 'payouts.intent-stored', 'payouts.intent-settled'],
  'payoutPartnerCrash.integration.test.ts': [
    'payouts.partner-claimed',
    'payouts.partner-submitted',
    'payouts.partner-answered',
    'payouts.partner-followed',
    'payouts.top-up-made',
  ],
  'refundCrash.integration.test.ts': ['api.refund-stored', 'api.refund-claimed'],
} as const satisfies Record<string, readonly PayoutFailpoint[]>
