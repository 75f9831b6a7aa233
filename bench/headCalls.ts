import { startIndexer } from './indexerProcess.ts'
import { progress } from './progress.ts'
import { configuredChain, firstHeight, type ReplayedChain } from './recordedChain.ts'
import { callsOf, startReplay } from './replay.ts'
import { digits, figure, type Report } from './report.ts'
import { createScope, type Scope } from './scope.ts'
import { syntheticWatches, watchedDatabase } from './watchedDatabase.ts'

const bench = 'indexers'
const blocks = 40
/**
 * The chain's time, and all times derived from it, run faster here, so that fifty blocks do not take ten
 * minutes.
 */
const blockMs = 250
/** Default of INDEXER_POLL_MS. */
const pollMs = 2000

interface Following {
  chain: ReplayedChain
  watches: number
  heads: 'WebSocket' | 'polling'
  traces: boolean
  /** Calls per block. */
  aim?: number
}

const followings: readonly Following[] = [
  { chain: 'ethereum', watches: 1000, heads: 'WebSocket', traces: false, aim: 2 },
  { chain: 'ethereum', watches: syntheticWatches, heads: 'WebSocket', traces: false, aim: 2 },
  { chain: 'ethereum', watches: syntheticWatches, heads: 'WebSocket', traces: true, aim: 3 },
  { chain: 'ethereum', watches: 1000, heads: 'polling', traces: false },
  { chain: 'ethereum', watches: syntheticWatches, heads: 'polling', traces: false },
  { chain: 'polygon', watches: syntheticWatches, heads: 'WebSocket', traces: false },
]

/** Requests that a provider gets for each new block, as the provider counts them. */
export async function benchHeadCalls(scope: Scope, run: Scope): Promise<Report> {
  const report: Report = {
    figures: [],
    notes: [
      `RPC calls at the head are counted by the node, over ${blocks} blocks with 1 payment in 10; one every ${blockMs} ms, with polls faster in proportion (${pollMs / 1000} s against the chain's real block time). There is one provider; a second one would be queried for each polled head and for each block with a payment.`,
    ],
  }
  for (const [index, following] of followings.entries()) {
    const { chain, watches, heads, traces, aim } = following
    const label = `RPC calls a block at the head, ${chain}, ${watches.toLocaleString('en')} addresses, ${heads}${traces ? ', traces' : ''}`
    progress(label)
    const { perBlock, byMethod } = await callsPerBlock(
      scope,
      run,
      following,
      firstHeight + (index + 1) * 100_000,
    )
    const methods = [...byMethod].map(([method, count]) => `${method} ${digits(count)}`).join(', ')
    const once = { median: perBlock, min: perBlock, max: perBlock }
    report.figures.push(
      figure(bench, label, once, '', {
        ...(aim === undefined ? {} : { aim: `${aim}`, met: perBlock === aim }),
      }),
    )
    report.notes.push(`${label}: ${methods}.`)
  }
  return report
}

async function callsPerBlock(
  outer: Scope,
  run: Scope,
  { chain, watches, heads, traces }: Following,
  from: number,
) {
  const scope = outer.keep(createScope(), (each) => each.close())
  const database = await watchedDatabase(run, watches)
  const replay = await startReplay(scope, chain, { head: from, traces })
  const prefix = chain.toUpperCase()
  const indexer = await startIndexer(scope, chain, database, replay, {
    [`${prefix}_BLOCK_MS`]: String(blockMs),
    INDEXER_POLL_MS: String(Math.round((pollMs * blockMs) / configuredChain(chain).blockMs)),
    ...(heads === 'WebSocket' ? { [`${prefix}_WS_URLS`]: replay.wsUrl } : {}),
  })
  await indexer.reach(from)
  // The first blocks prove the subscription; calls made once at the start are not part of a block's cost.
  await replay.order({ head: from + 5, everyMs: blockMs })
  await indexer.reach(from + 5)
  await replay.order({})
  const asked = await replay.order({ head: from + 5 + blocks, everyMs: blockMs })
  await indexer.reach(from + 5 + blocks)
  const { total, byMethod } = callsOf([asked, await replay.order({})])
  await scope.close()
  return {
    perBlock: total / blocks,
    byMethod: new Map([...byMethod].map(([method, count]) => [method, count / blocks])),
  }
}
