import type { Capability } from '../capability.ts'
import { sealedColumns } from './sealedColumns.ts'
import { treasurySettings } from './settings.ts'

const incoming = ['treasury.seed-stored', 'treasury.pool-filled', 'treasury.pool-renewed'] as const
const sending = ['treasury.wallet-key-stored'] as const
const rolling = ['custody.app-key-rolled', 'custody.seed-key-rolled', 'custody.verify-key-rolled'] as const

declare module '../platform/failpoints.ts' {
  interface Failpoints
    extends Record<(typeof incoming)[number], 'incoming'>,
      Record<(typeof sending)[number], 'sending'>,
      Record<(typeof rolling)[number], 'rolling'> {}
}

/** The seed, the pool of deposit addresses, and the keys that wallets are sealed to. */
export const custody: Capability = {
  name: 'custody',
  sealed: sealedColumns,
  failpoints: { incoming, sending, rolling },
  settings: { treasury: treasurySettings },
  startApi: async (ctx) => (await import('./startRequestKey.ts')).startRequestKey(ctx),
}
