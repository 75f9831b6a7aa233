import type { BridgeActions, BridgedChain } from './bridging.ts'
import type { Family } from './chain.ts'

type Open = (chain: BridgedChain) => BridgeActions

/** Loaded on demand. */
const families: Partial<Record<Family, () => Promise<Open>>> = {
  evm: async () => (await import('./evm/send/bridgeActions.ts')).evmBridgeActions,
  solana: async () => (await import('./solana/send/bridgeActions.ts')).solanaBridgeActions,
}

/** Builds burns and mints of a chain, without a node; null where this version bridges nothing. */
export async function bridgeActions(
  chain: Omit<BridgedChain, 'cctp'> & Partial<Pick<BridgedChain, 'cctp'>>,
): Promise<BridgeActions | null> {
  const { cctp } = chain
  return cctp ? ((await families[chain.family]?.())?.({ ...chain, cctp }) ?? null) : null
}
