import type { IntentPurpose } from '../txmgr/intents.ts'

declare module '../txmgr/intents.ts' {
  interface IntentPurposes {
    /** Opens the account of a native stake and delegates it, signed with a key of the request. */
    'native-stake': true
    /** Deactivates a native stake, or a part of it. */
    'native-unstake': true
    /** Pays all that the account of a native stake holds to its owner. */
    'native-withdrawal': true
  }
}

const common: Pick<IntentPurpose, 'signers' | 'madeBy' | 'policy'> = {
  signers: ['caller'],
  madeBy: 'api',
  policy: { check: async () => 'native stakes are signed with keys of requests' },
}

const onMoveChange: IntentPurpose['onChange'] = async (...changed) => (await import('./onMoveChange.ts')).onMoveChange(...changed)

/** Stakes of customers that the chain itself holds. */
export const nativePurposes: readonly IntentPurpose[] = [
  {
    ...common,
    name: 'native-stake',
    onChange: async (...changed) => (await import('./onIntentChange.ts')).onStakeChange(...changed),
  },
  { ...common, name: 'native-unstake', onChange: onMoveChange },
  { ...common, name: 'native-withdrawal', onChange: onMoveChange },
]
