import type { IntentPurpose } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** The transaction that swaps, signed with a key of the request. */
    swap: true
    /** Allows a contract to take what a swap sells; the swap follows it. */
    'swap-approval': true
  }
}

const policy: IntentPurpose['policy'] = { check: async () => 'swaps are signed with keys of requests' }

/** Swaps of customers. */
export const swapPurpose: IntentPurpose = {
  name: 'swap',
  signers: ['caller'],
  madeBy: 'api',
  onChange: async (...changed) => (await import('./recordSwapEvent.ts')).recordSwapEvent(...changed),
  policy,
}

/** The end of an approval is no event: its swap ends by itself. */
export const approvalPurpose: IntentPurpose = {
  name: 'swap-approval',
  signers: ['caller'],
  madeBy: 'api',
  onChange: async () => {},
  policy,
}
