import type { Log } from '../platform/log.ts'
import type { BlockReader, Family } from './chain.ts'
import type { OnHead } from './providers/heads.ts'
import type { ProviderObserver, ProviderState } from './providers/providers.ts'
import type { ConfiguredChain } from './registry.ts'

export interface ChainConnection {
  reader: BlockReader
  /** Calls `onHead` with each new block that the chain tells of; ends with `signal`, or at once where nothing tells. */
  listen(onHead: OnHead, signal: AbortSignal): Promise<void>
  /** How each provider does now. */
  providers(): ProviderState[]
  close(): Promise<void>
}

export interface ConnectOptions {
  timeoutMs: number
  observe: ProviderObserver
  log: Log
}

type Connect = (chain: ConfiguredChain, options: ConnectOptions) => ChainConnection

/** Each family's libraries are loaded by whoever reads it: an indexer reads one chain. */
const families: Record<Family, () => Promise<{ connect: Connect }>> = {
  evm: () => import('./evm/connect.ts'),
  solana: () => import('./solana/connect.ts'),
  tron: () => import('./tron/connect.ts'),
  stellar: () => import('./stellar/connect.ts'),
}

/** Opens the nodes of a chain for reading. */
export async function connectChain(chain: ConfiguredChain, options: ConnectOptions): Promise<ChainConnection> {
  const { connect } = await families[chain.family]()
  return connect(chain, options)
}
