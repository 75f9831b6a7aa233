import type { AddressCodec, BlockReader } from '../src/chains/chain.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import type { Db } from '../src/platform/db.ts'
import type { Log } from '../src/platform/log.ts'
import type { Bell } from '../src/platform/wait.ts'
import type { ReportedHead } from './heads.ts'
import type { IndexerMetrics } from './indexerMetrics.ts'
import type { WatchList } from './watchList.ts'

/** What writing about a chain needs. */
export interface CommitContext {
  db: Db
  chain: ConfiguredChain
  codec: AddressCodec
  /** Under which the leader writes; a rescan, which does not lead, has none. */
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
  watches: Pick<WatchList, 'flags' | 'readTail'>
}

/** All that the leader of a chain works with. */
export interface IndexerContext extends LeaderContext, MatchContext {
  watches: Pick<WatchList, 'flags' | 'readTail' | 'readTakenBack' | 'snapshot'>
  metrics: IndexerMetrics
  log: Log
  /** Rung when the chain says that there is a new block. */
  bell: Bell
  /** What the subscription to new heads told last. */
  reported: ReportedHead
  /** The blocks in hand: resolves when what was matched with the watch list of a moment ago is committed. Never rejects. */
  taking: { done: Promise<unknown> }
  pollMs: number
  /** How long a block may wait for a second provider that gives no answer. */
  crossCheckMs: number
  /** How often balances are compared, where nothing else shows internal transfers. */
  balancesMs: number
  signal: AbortSignal
}

/** Whether another provider is there to be asked about what is credited. */
export const hasSecondProvider = (chain: Pick<ConfiguredChain, 'rpcUrls' | 'horizonUrls'>): boolean =>
  chain.rpcUrls.length + chain.horizonUrls.length > 1
