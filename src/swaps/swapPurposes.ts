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

/**
 * A transaction of a swap of which nothing was sent until then is never sent: the minimum is of the price
 * when it was requested.
 */
const maxUnsentMs = 600_000

const stop: IntentPurpose['stop'] = async (_ctx, _tx, { createdAt }) =>
  Date.now() - createdAt.getTime() < maxUnsentMs
    ? null
    : { reason: 'It was not sent within ten minutes; its price is too old', ends: true }

/** Swaps of customers. */
export const swapPurpose: IntentPurpose = {
  name: 'swap',
  signers: ['caller'],
  madeBy: 'api',
  onChange: async (...changed) => (await import('./recordSwapEvent.ts')).recordSwapEvent(...changed),
  policy,
  stop,
}

/** The end of an approval is no event: its swap ends by itself. */
export const approvalPurpose: IntentPurpose = {
  name: 'swap-approval',
  signers: ['caller'],
  madeBy: 'api',
  onChange: async () => {},
  policy,
  stop,
}
