import type { Family } from './chain.ts'
import type { Chain } from './registry.ts'
import type { TransferBuilder } from './sending.ts'

type Open = (chain: Pick<Chain, 'name' | 'network'>) => TransferBuilder

/** Each family's libraries are loaded by whoever signs for it first. */
const families: Record<Family, () => Promise<Open>> = {
  evm: async () => (await import('./evm/transferBuilder.ts')).evmTransferBuilder,
  solana: async () => (await import('./solana/transferBuilder.ts')).solanaTransferBuilder,
  tron: async () => (await import('./tron/transferBuilder.ts')).tronTransferBuilder,
  stellar: async () => (await import('./stellar/transferBuilder.ts')).stellarTransferBuilder,
}

/** What builds and signs the transfers of a chain. It asks no node. */
export async function transferBuilder(chain: Pick<Chain, 'name' | 'network' | 'family'>): Promise<TransferBuilder> {
  return (await families[chain.family]())(chain)
}
