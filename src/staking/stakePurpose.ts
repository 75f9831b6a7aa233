import type { IntentPurpose } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Brings the money of a stake to the staking address, signed with a key of the request. */
    stake: true
    /** Pays a stake, its rewards, or both, back to the address that staked. */
    'stake-withdrawal': true
  }
}

/** Stakes of customers. */
export const stakePurpose: IntentPurpose = {
  name: 'stake',
  signers: ['caller'],
  madeBy: 'api',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onStakeChange(...changed),
  policy: { check: async () => 'stakes are signed with keys of requests' },
}

/** Payments of the platform from the staking address. */
export const withdrawalPurpose: IntentPurpose = {
  name: 'stake-withdrawal',
  signers: ['staking'],
  madeBy: 'worker',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onWithdrawalChange(...changed),
  stop: async (_ctx, tx, row) => (await import('./withdrawalStop.ts')).withdrawalStop(tx, row),
  policy: {
    check: async (...row) => (await import('./withdrawalPolicy.ts')).refusalOfWithdrawal(...row),
    action: async (...row) => (await import('./withdrawalPolicy.ts')).withdrawalAction(...row),
  },
}
