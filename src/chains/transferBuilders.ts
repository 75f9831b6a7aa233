import type { Family } from './chain.ts'
import type { Chain } from './registry.ts'
import type { ActionBuilder } from './sending.ts'

type Open = (chain: Pick<Chain, 'name' | 'network'>) => ActionBuilder

/** Loaded on demand. */
const families: Record<Family, () => Promise<Open>> = {
  evm: async () => (await import('./evm/send/transferBuilder.ts')).evmTransferBuilder,
  solana: async () => (await import('./solana/send/transferBuilder.ts')).solanaTransferBuilder,
  tron: async () => (await import('./tron/transferBuilder.ts')).tronTransferBuilder,
  stellar: async () => (await import('./stellar/transferBuilder.ts')).stellarTransferBuilder,
}

/** Builds and signs the transfers of a chain, without a node. */
export async function transferBuilder(
  chain: Pick<Chain, 'name' | 'network' | 'family'>,
): Promise<ActionBuilder> {
  return (await families[chain.family]())(chain)
}
