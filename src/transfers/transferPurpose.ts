import type { IntentPurpose } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** A customer's transfer. */
    transfer: true
  }
}

/**
 * Customers' transfers. Their destination is the customer's to choose, so only the proof of the API vouches
 * for it.
 */
export const transferPurpose: IntentPurpose = {
  name: 'transfer',
  signers: ['caller', 'external', 'wallet'],
  madeBy: 'api',
  // On demand: every process reads the purposes, and few report outcomes.
  onChange: async (...changed) => (await import('./recordTransferEvent.ts')).recordTransferEvent(...changed),
  policy: {
    check: async (_tx, { businessId, action }) =>
      businessId !== null && action.kind === 'transfer' ? null : 'it is not a transfer of a business',
  },
}
