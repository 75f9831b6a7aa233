import type { Family } from './chain.ts'
import type { SweepActions, SweptChain } from './sweeping.ts'

type Open = (chain: SweptChain) => SweepActions

/** Loaded on demand. */
const families: Partial<Record<Family, () => Promise<Open>>> = {
  evm: async () => (await import('./evm/send/sweepActions.ts')).evmSweepActions,
  solana: async () => (await import('./solana/send/sweepActions.ts')).solanaSweepActions,
  tron: async () => (await import('./tron/sweepActions.ts')).tronSweepActions,
}

/** Builds the sweeps of a chain, without a node; null where deposits need no sweep. */
export async function sweepActions(chain: SweptChain): Promise<SweepActions | null> {
  return (await families[chain.family]?.())?.(chain) ?? null
}
