import type { BlockHeader } from '../src/chains/chain.ts'
import { createProviderMetrics } from '../src/chains/providers/observe.ts'
import type { ProviderObserver, ProviderState } from '../src/chains/providers/providers.ts'
import type { Queryable } from '../src/platform/database/db.ts'
import type { Priority } from '../src/platform/priority.ts'
import { type Metrics, shared } from '../src/platform/telemetry/metrics.ts'
import { coverageOf, importBlocksLeft } from './coverage.ts'
import type { Tip } from './tip.ts'
import type { WatchList } from './watchList.ts'

interface Settable {
  set(value: number): void
}

interface Countable {
  inc(by?: number): void
}

export interface IndexerMetrics {
  observer: ProviderObserver
  head: Settable
  finalized: Settable
  lag: Settable
  failures: Countable
  unreadable: Settable
  filled: Countable
  disagreements: Countable
  unanswered: Countable
  awaitingAgreement: Settable
  /** Blocks were committed; `last` is the newest. */
  blocks(count: number, last: Pick<BlockHeader, 'height' | 'time'>, head: number, detected: number): void
  reorg(depth: number, reverted: number): void
  /** This process leads the chain now. */
  leads(db: Queryable): void
  /** This process no longer follows the chain. */
  ended(): void
  /** Waits for requests that go first, and counts the time. */
  yielding(priority: Pick<Priority, 'turn'>): () => Promise<void>
  watch(list: WatchList): void
  tip(tip: Tip): void
  providers(states: () => ProviderState[]): void
}

/** The metrics of one chain's indexer. */
export function createIndexerMetrics(metrics: Metrics, chain: string): IndexerMetrics {
  const of = { chain }
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['chain']).labels(chain)
  const counter = (name: string, help: string) => {
    const made = metrics.counter(name, help, ['chain']).labels(chain)
    made.inc(0)
    return made
  }
  const height = gauge('chain_indexed_height', 'Height of the newest committed block')
  const blocks = counter('blocks_total', 'Blocks committed')
  const detections = counter('detections_total', 'Transfers to watched addresses')
  const latency = metrics.histogram(
    'detection_latency_seconds',
    'From the time in the block to the commit of its detections, at the head',
    ['chain'],
    [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300],
  )
  latency.zero(of)
  const reorgs = counter('reorgs_total', 'Times that the indexer went back')
  const depth = metrics.histogram(
    'reorg_depth_blocks',
    'Blocks that a reorg took back',
    ['chain'],
    [1, 2, 3, 5, 8, 13, 21, 55, 144],
  )
  depth.zero(of)
  const reverted = counter('detections_reverted_total', 'Detections that a reorg took back')
  const leader = gauge('indexer_leader', '1 where this process leads the chain, 0 where it stands by')
  leader.set(0)
  const yielded = counter(
    'catch_up_yielded_seconds_total',
    'Time that reading waited for requests to this process, which go first',
  )
  const finalized = gauge(
    'chain_finalized_height',
    'Newest height that a provider called finalized; 0: not asked for since the start',
  )
  finalized.set(0)
  const lag = gauge('chain_lag_blocks', 'Blocks between the head and the cursor')
  return {
    head: gauge('chain_head_height', 'Height of the newest block that a provider reported'),
    finalized,
    lag,
    failures: counter('chain_read_failures_total', 'Rounds in which no provider gave a usable answer'),
    unreadable: gauge(
      'chain_unreadable',
      '1 while a block holds something that this version does not know: it waits for an update',
    ),
    filled: counter('blocks_reread_total', 'Blocks read to fill a gap, or for their internal transfers'),
    disagreements: counter(
      'provider_disagreements_total',
      'Times that a second provider did not have payments that the first had reported',
    ),
    unanswered: counter(
      'blocks_unwitnessed_total',
      'Blocks that credit money and that no second provider answered about in time',
    ),
    awaitingAgreement: gauge('blocks_awaiting_agreement', 'Blocks whose payments wait for a second provider'),
    blocks(count, last, headHeight, detected) {
      height.set(last.height)
      lag.set(Math.max(0, headHeight - last.height))
      blocks.inc(count)
      if (detected === 0) return
      detections.inc(detected)
      if (headHeight - last.height <= 1)
        latency.observe(of, Math.max(0, (Date.now() - last.time.getTime()) / 1000))
    },
    reorg(deep, count) {
      reorgs.inc()
      depth.observe(of, deep)
      reverted.inc(count)
    },
    leads(db) {
      leader.set(1)
      const read = shared(() => coverageOf(db, chain))
      metrics.collected(
        'chain_covered_blocks',
        'Blocks that the record shows as read',
        ['chain'],
        async (each) => each.set(of, (await read()).blocks),
      )
      metrics.collected(
        'chain_gap_blocks',
        'Blocks below the cursor that the record does not show as read',
        ['chain'],
        async (each) => each.set(of, (await read()).gaps),
      )
      metrics.collected(
        'chain_untraced_blocks',
        'Blocks whose internal transfers were not read yet',
        ['chain'],
        async (each) => each.set(of, (await read()).untraced),
      )
      metrics.collected(
        'import_blocks_left',
        'Blocks still to be read again for addresses that are monitored from an earlier one',
        ['chain'],
        async (each) => each.set(of, await importBlocksLeft(db, chain)),
      )
    },
    ended: () => leader.set(0),
    yielding: (priority) => async () => yielded.inc((await priority.turn()) / 1000),
    tip(tip) {
      metrics.collected(
        'chain_stale',
        '1 while the chain gives no new block for longer than expected',
        ['chain'],
        (each) => each.set(of, tip.isStale() ? 1 : 0),
      )
      metrics.collected('chain_tip_age_seconds', 'How long ago the tip moved', ['chain'], (each) =>
        each.set(of, tip.ageMs() / 1000),
      )
    },
    watch(list) {
      let last = list.watermark
      let since = Date.now()
      metrics.collected('watched_addresses', 'Addresses in the watch list', ['chain'], (each) =>
        each.set(of, list.size),
      )
      metrics.collected('watch_list_bytes', 'Memory of the watch list', ['chain'], (each) =>
        each.set(of, list.bytes),
      )
      metrics.collected(
        'watch_watermark_age_seconds',
        'How long the tail has been read from the same transaction id',
        ['chain'],
        (each) => {
          if (list.watermark !== last) {
            last = list.watermark
            since = Date.now()
          }
          each.set(of, (Date.now() - since) / 1000)
        },
      )
    },
    providers(states) {
      const each = (name: string, help: string, value: (state: ProviderState) => number) =>
        metrics.collected(name, help, ['chain', 'provider'], (one) => {
          for (const state of states()) one.set({ chain, provider: state.name }, value(state))
        })
      each('provider_open', '1 while a provider is not asked, after failures', (state) =>
        state.open ? 1 : 0,
      )
      each('provider_wrong_chain', '1 while a provider answers for another chain', (state) =>
        state.wrongChain ? 1 : 0,
      )
      each(
        'provider_score_seconds',
        'Latency of the head, made worse by recent failures: the lowest is asked first; 0: not measured',
        (state) => (state.score ?? 0) / 1000,
      )
      each(
        'provider_budget_requests_per_second',
        'Requests per second that a provider accepts, as far as known; 0: no limit was met',
        (state) => (Number.isFinite(state.rate) ? state.rate : 0),
      )
    },
    observer: createProviderMetrics(metrics)(chain),
  }
}
