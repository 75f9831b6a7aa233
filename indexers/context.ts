import type { AddressCodec, BlockReader } from '../src/chains/chain.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { Bell } from '../src/platform/wait.ts'
import type { ReportedHead } from './heads.ts'
import type { IndexerMetrics } from './indexerMetrics.ts'
import type { WatchList } from './watchList.ts'

/** What writing to a chain's tables needs. */
export interface CommitContext {
  db: Db
  chain: ConfiguredChain
  codec: AddressCodec
  /** The leader's epoch; a rescan does not lead and has no epoch. */
  epoch?: bigint
}

/** The same, with the right to move the cursor. */
export interface LeaderContext extends CommitContext {
  epoch: bigint
}

/** What finding payments in a block needs. */
export interface MatchContext {
  chain: ConfiguredChain
  codec: AddressCodec
  reader: BlockReader
  watches: Pick<WatchList, 'flags' | 'flagsAt' | 'readTail'>
}

/** What the leader of a chain works with. */
export interface IndexerContext extends LeaderContext, MatchContext {
  watches: Pick<WatchList, 'flags' | 'flagsAt' | 'readTail' | 'readReverted' | 'snapshot'>
  metrics: IndexerMetrics
  log: Log
  /** Rung when the chain announces a new block. */
  bell: Bell
  /** The last head from the subscription. */
  reported: ReportedHead
  /** Resolves when the matched blocks that are not yet committed are committed. Never rejects. */
  inFlight: { done: Promise<unknown> }
  pollMs: number
  /** How long a block may wait for a second provider that does not answer. */
  crossCheckMs: number
  /** How often balances are compared, if nothing reports internal transfers. */
  balancesMs: number
  signal: AbortSignal
}

/** True if a second provider can cross-check payments. */
export const hasSecondProvider = (chain: Pick<ConfiguredChain, 'rpcUrls' | 'horizonUrls'>): boolean =>
  chain.rpcUrls.length + chain.horizonUrls.length > 1
