import type { IntentPurpose } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Sends money of the treasury to the wallet that an outflow names. */
    payout: true
  }
}

/** An outflow to a wallet: the treasury reads where it goes from what the api has proven. */
export const outflowPurpose: IntentPurpose = {
  name: 'payout',
  signers: ['treasury'],
  madeBy: 'worker',
  onChange: async (...changed) => (await import('./onIntentChange.ts')).onIntentChange(...changed),
  stop: async (...row) => (await import('./unsentStop.ts')).unsentStop(...row),
  policy: {
    check: async (...row) => (await import('./walletPolicy.ts')).refusalOfWalletOutflow(...row),
    action: async (...row) => (await import('./walletPolicy.ts')).walletAction(...row),
  },
}
