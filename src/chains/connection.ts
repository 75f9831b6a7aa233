import type { ComputeThreads } from '../platform/computeThreads.ts'
import type { Turn } from '../platform/priority.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { BlockReader } from './chain.ts'
import type { ChainAccounts } from './chainAccounts.ts'
import type { OnHead } from './providers/heads.ts'
import type { ProviderObserver, ProviderState } from './providers/providers.ts'

export interface ChainConnection {
  reader: BlockReader
  /**
   * Loads the family's libraries at the first call, because indexers do not need them. Cached, with its token
   * and price caches.
   */
  accounts(): Promise<ChainAccounts>
  /** Calls `onHead` with each new block; ends with `signal`, or at once if the chain has no subscription. */
  listen(onHead: OnHead, signal: AbortSignal): Promise<void>
  /** What a surveyed provider offers; null before. Only on EVM chains. */
  offers?(provider: string): NodeOffers | null
  /** The current state of each provider. */
  providers(): ProviderState[]
  close(): Promise<void>
}

/** What the survey of a node found. */
export interface NodeOffers {
  blockReceipts: boolean
  finalizedTag: boolean
}

export interface ConnectOptions {
  timeoutMs: number
  observe: ProviderObserver
  log: Log
  /**
   * Time without an answer after which another provider is trusted alone about a transfer; 30 s by default.
   */
  crossCheckMs?: number | undefined
  /**
   * Read answers from their bytes where that is possible, which is faster; true by default. If not, all of
   * them are parsed.
   */
  readBytes?: boolean
  /** Awaited before a large answer is parsed: a process that also answers requests takes those first. */
  turn?: Turn
  /** Read answers from their bytes, far below the head; without them, this thread does. */
  threads?: ComputeThreads | undefined
}
