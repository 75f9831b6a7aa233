import type { Capability } from '../capability.ts'
import { treasurySettings } from './settings.ts'

const incoming = ['treasury.seed-stored', 'treasury.pool-filled', 'treasury.pool-renewed'] as const
const sending = ['treasury.wallet-key-stored'] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints extends Record<(typeof incoming)[number], 'incoming'>, Record<(typeof sending)[number], 'sending'> {}
}

/** The seed, the pool of deposit addresses, and the keys that wallets are sealed to. */
export const custody: Capability = {
  name: 'custody',
  failpoints: { incoming, sending },
  settings: { treasury: treasurySettings },
}
