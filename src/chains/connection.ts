import type { Log } from '../platform/log.ts'
import type { Turn } from '../platform/priority.ts'
import type { BlockReader } from './chain.ts'
import type { OnHead } from './providers/heads.ts'
import type { ProviderObserver, ProviderState } from './providers/providers.ts'
import type { ChainAccounts } from './sending.ts'

export interface ChainConnection {
  reader: BlockReader
  /** Loads what an indexer has no use for at its first call: the family's libraries. The same from then on, with what it remembers of tokens and prices. */
  accounts(): Promise<ChainAccounts>
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
  /** How long a provider may not answer before another one is believed alone about a transfer; 30 s by default. */
  crossCheckMs?: number | undefined
  /** Waited for before a large answer is parsed: a process that also answers requests takes those first. */
  turn?: Turn
}
