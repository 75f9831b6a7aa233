import type { IntentPurpose } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Lets the bridge take what a transfer burns. */
    'bridge-approval': true
    /** Burns what a transfer sends to another chain. Its id is that of the transfer. */
    'bridge-burn': true
    /** Mints what was burnt, at the cost of the treasury. */
    'bridge-mint': true
  }
}

const onChange: IntentPurpose['onChange'] = async (...changed) => (await import('./onIntentChange.ts')).onIntentChange(...changed)

const ofWallet = {
  signers: ['wallet'],
  madeBy: 'api',
  onChange,
  policy: {
    check: async (...row) => (await import('./burnPolicy.ts')).refusalOfBurn(...row),
    action: async (...row) => (await import('./burnPolicy.ts')).burnAction(...row),
  },
} as const satisfies Partial<IntentPurpose>

/** The treasury builds all three from what the API has proven of the transfer, and what Circle has signed of it. */
export const bridgePurposes: readonly IntentPurpose[] = [
  { ...ofWallet, name: 'bridge-approval', stop: async (...row) => (await import('./bridgeStops.ts')).approvalStop(...row) },
  { ...ofWallet, name: 'bridge-burn', stop: async (...row) => (await import('./bridgeStops.ts')).burnStop(...row) },
  {
    name: 'bridge-mint',
    signers: ['treasury'],
    madeBy: 'worker',
    onChange,
    policy: {
      check: async (...row) => (await import('./mintPolicy.ts')).refusalOfMint(...row),
      action: async (...row) => (await import('./mintPolicy.ts')).mintAction(...row),
    },
  },
]
