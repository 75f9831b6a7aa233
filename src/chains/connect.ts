import { once } from '../platform/once.ts'
import type { Family } from './chain.ts'
import type { ChainConnection, ConnectOptions } from './connection.ts'
import type { ConfiguredChain } from './registry.ts'

type Connect = (chain: ConfiguredChain, options: ConnectOptions) => ChainConnection

/** Loaded on demand: an indexer reads one chain, and needs one family's libraries. */
const families: Record<Family, () => Promise<{ connect: Connect }>> = {
  evm: () => import('./evm/connect.ts'),
  solana: () => import('./solana/connect.ts'),
  tron: () => import('./tron/connect.ts'),
  stellar: () => import('./stellar/connect.ts'),
}

/** Opens the nodes of a chain for reading. */
export async function connectChain(
  chain: ConfiguredChain,
  options: ConnectOptions,
): Promise<ChainConnection> {
  const { connect } = await families[chain.family]()
  const connection = connect(chain, options)
  return { ...connection, accounts: once(connection.accounts) }
}
