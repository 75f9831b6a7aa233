import type { Counter, Gauge } from 'prom-client'
import type { Block } from '../src/chains/chain.ts'
import type { ProviderObserver } from '../src/chains/evm/providers.ts'
import type { Metrics } from '../src/platform/metrics.ts'
import type { WatchList } from './watchList.ts'

export interface IndexerMetrics extends ProviderObserver {
  head: Gauge
  lag: Gauge
  failures: Counter
  block(block: Block, head: number, detected: number): void
  reorg(depth: number, reverted: number): void
  watch(list: WatchList): void
}

/** What an indexer tells about its chain. */
export function createIndexerMetrics(metrics: Metrics, chain: string): IndexerMetrics {
  const of = { chain }
  const head = metrics.gauge('chain_head_height', 'Height of the newest block that a provider told', ['chain'])
  const lag = metrics.gauge('chain_lag_blocks', 'Blocks between the head and the cursor', ['chain'])
  const height = metrics.gauge('chain_indexed_height', 'Height of the newest committed block', ['chain'])
  const blocks = metrics.counter('blocks_total', 'Blocks committed', ['chain'])
  const detections = metrics.counter('detections_total', 'Transfers to watched addresses', ['chain'])
  const latency = metrics.histogram(
    'detection_latency_seconds',
    'From the time in the block to the commit of its detections, at the head',
    ['chain'],
    [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300],
  )
  const reorgs = metrics.counter('reorgs_total', 'Times that the indexer went back', ['chain'])
  const depth = metrics.histogram('reorg_depth_blocks', 'Blocks that a reorg took back', ['chain'], [1, 2, 3, 5, 8, 13, 21, 55, 144])
  const reverted = metrics.counter('detections_reverted_total', 'Detections that a reorg took back', ['chain'])
  const failures = metrics.counter('chain_read_failures_total', 'Rounds in which no provider gave a usable answer', ['chain'])
  const calls = metrics.counter('rpc_calls_total', 'Calls to providers', ['chain', 'provider', 'method', 'outcome'])
  const seconds = metrics.histogram(
    'rpc_seconds',
    'Duration of calls to providers',
    ['chain', 'provider', 'method'],
    [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  const refused = metrics.counter('rpc_refused_answers_total', 'Answers of providers that did not hold together', ['chain', 'provider'])
  blocks.inc(of, 0)
  detections.inc(of, 0)
  reorgs.inc(of, 0)
  failures.inc(of, 0)
  return {
    head: head.labels(chain) as unknown as Gauge,
    lag: lag.labels(chain) as unknown as Gauge,
    failures: failures.labels(chain) as unknown as Counter,
    block(block, headHeight, detected) {
      height.set(of, block.height)
      lag.set(of, Math.max(0, headHeight - block.height))
      blocks.inc(of)
      if (detected === 0) return
      detections.inc(of, detected)
      if (headHeight - block.height <= 1) latency.observe(of, Math.max(0, (Date.now() - block.time.getTime()) / 1000))
    },
    reorg(deep, count) {
      reorgs.inc(of)
      depth.observe(of, deep)
      reverted.inc(of, count)
    },
    watch(list) {
      let last = list.watermark
      let since = Date.now()
      metrics.gauge('watched_addresses', 'Addresses in the watch list', ['chain'], (gauge) => gauge.set(of, list.size))
      metrics.gauge('watch_list_bytes', 'Memory of the watch list', ['chain'], (gauge) => gauge.set(of, list.bytes))
      metrics.gauge('watch_watermark_age_seconds', 'How long the tail has been read from the same transaction id', ['chain'], (gauge) => {
        if (list.watermark !== last) {
          last = list.watermark
          since = Date.now()
        }
        gauge.set(of, (Date.now() - since) / 1000)
      })
    },
    refused: (provider) => refused.inc({ chain, provider }),
    called(provider, method, outcome, duration) {
      calls.inc({ chain, provider, method, outcome })
      seconds.observe({ chain, provider, method }, duration)
    },
  }
}
