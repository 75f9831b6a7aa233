import { loadWatchList, type WatchList } from '../indexers/watchList.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { openDirect } from '../src/platform/database/db.ts'
import type { TestDatabase } from '../test/support/database.ts'
import { type IndexerProcess, startIndexer } from './indexerProcess.ts'
import { createLimit } from './limit.ts'
import { interleave, ratio, spread, timed } from './measure.ts'
import { profiled } from './profile.ts'
import { progress } from './progress.ts'
import { benchProofs } from './proofs.ts'
import {
  configuredChain,
  firstHeight,
  type Paying,
  paymentsAt,
  type ReplayedChain,
  replayedChains,
} from './recordedChain.ts'
import { callsOf, type Replay, startReplay } from './replay.ts'
import type { ReplayAnswer } from './replayNode.ts'
import { digits, figure, type Report } from './report.ts'
import { createScope, type Scope } from './scope.ts'
import { benchSolanaHead } from './solanaHead.ts'
import { solanaBlock } from './solanaTransactions.ts'
import { syntheticWatches, watchedDatabase } from './watchedDatabase.ts'

const bench = 'indexers'
const rounds = 3
const warmUp = 1
/** Blocks per round for the bare limit. */
const bareBlocks = 100
/**
 * The measured blocks end this far before the end of each range, so that as much is in flight at the end as
 * at the start.
 */
const underWay = 200

interface Kind {
  chain: ReplayedChain
  label: string
  /** Blocks per round. */
  blocks: number
  /** Blocks per second. */
  aim: number
}

export const kinds: readonly Kind[] = [
  { chain: 'ethereum', label: 'Ethereum-like', blocks: 1500, aim: 600 },
  { chain: 'polygon', label: 'Polygon-like', blocks: 500, aim: 200 },
  { chain: 'solana', label: 'Solana-like', blocks: 200, aim: 80 },
]

interface Case {
  label: string
  paying: Paying
}

const usual: Case = { label: '1 payment in 10 blocks', paying: { outOf: 10, payments: 1 } }
const heavy: Case = { label: '5 payments in each block', paying: { outOf: 1, payments: 5 } }

/** Blocks per second of the indexer process, far behind the head of a chain: from HTTP to the commit. */
export async function* benchCatchUp(outer: Scope, run: Scope, kind: Kind): AsyncGenerator<Report> {
  const scope = outer.keep(createScope(), (each) => each.close())
  const configured = configuredChain(kind.chain)
  const database = await watchedDatabase(run, syntheticWatches, configured.family)
  const list = await watchListOf(database, configured)
  const replay = await startReplay(scope, kind.chain)
  const indexer = await startIndexer(scope, kind.chain, database, replay, {
    [`${kind.chain.toUpperCase()}_START_BLOCK`]: String(firstHeight),
    // New heads arrive at once, so that no time is lost between two rounds.
    [`${kind.chain.toUpperCase()}_WS_URLS`]: replay.wsUrl,
  })
  await indexer.reach(firstHeight)
  const setting = { kind, configured, list, database, replay, indexer, next: firstHeight + 1 }
  for (const each of [usual, heavy]) yield await benchCase(setting, each)
  yield kind.chain === 'solana'
    ? await benchSolanaHead()
    : await benchProofs(kind.label, kind.chain, configured, list)
  // Free the cores for the next measurement.
  await scope.close()
}

interface Setting {
  kind: Kind
  configured: ConfiguredChain
  list: WatchList
  database: TestDatabase
  replay: Replay
  indexer: IndexerProcess
  /** The first height that the indexer has not read yet. */
  next: number
}

async function benchCase(setting: Setting, each: Case): Promise<Report> {
  const { kind, list } = setting
  const calls: ReplayAnswer[] = []
  let megabytes = 0
  let read = 0
  const name = `${kind.label}, ${each.label}`
  const series = await interleave(`${bench}, ${name}`, { rounds, warmUp }, async (index) => {
    const limit = await createLimit(setting.configured, kind.chain, list, {
      first: setting.next,
      count: bareBlocks,
      paying: each.paying,
    })
    megabytes = limit.megabytes
    globalThis.gc?.()
    const bare = await profiled(`${kind.chain}-bare`, () => timed(() => limit.bare()))
    globalThis.gc?.()
    const inProcess = await profiled(`${kind.chain}-in-process`, () => timed(() => limit.inProcess()))
    if (bare.result !== inProcess.result)
      throw new Error(`${bare.result} payments were found bare, but ${inProcess.result} in process`)
    const whole = await follow(setting, each)
    if (index >= 0) {
      calls.push(whole.answer)
      read += whole.read
    }
    return {
      bare: (bareBlocks / bare.ms) * 1000,
      inProcess: (bareBlocks / inProcess.ms) * 1000,
      whole: whole.perSecond,
      bareCpu: bare.cpuMs / bareBlocks,
      inProcessCpu: inProcess.cpuMs / bareBlocks,
      wholeCpu: whole.cpuMs,
      mainCpu: whole.mainCpuMs,
      busy: whole.busy,
    }
  })
  const whole = spread(series.whole)
  const slower = (of: readonly number[]) => ratio(series.bare, of)
  const cpu = (of: readonly number[]) => `${digits(spread(of).median)} ms CPU each`
  const asked = callsOf(calls)
  const byMethod = [...asked.byMethod].map(([method, count]) => `${method} ${digits(count / read)}`)
  return {
    figures: [
      figure(bench, `${name}: bare parse and match`, spread(series.bare), 'blocks/s', {
        extra: cpu(series.bareCpu),
        ratio: 1,
      }),
      figure(bench, `${name}: read and matched in process`, spread(series.inProcess), 'blocks/s', {
        extra: cpu(series.inProcessCpu),
        ratio: slower(series.inProcess),
      }),
      figure(bench, `${name}: whole indexer`, whole, 'blocks/s', {
        extra: cpu(series.wholeCpu),
        ratio: slower(series.whole),
        ...(each === usual ? { aim: `at least ${kind.aim}`, met: whole.median >= kind.aim } : {}),
      }),
    ],
    notes: [
      `${name}: ${kind.chain === 'solana' ? `block ${solanaBlock}` : `blocks ${replayedChains[kind.chain].blocks.join(' and ')}`} in turn, ${digits(megabytes / bareBlocks)} MB of answers each; ${list.size.toLocaleString('en')} watches; ${rounds} rounds of ${kind.blocks.toLocaleString('en')} blocks.`,
      `${name}: the indexer's main thread computes ${digits(spread(series.mainCpu).median)} ms a block and has a core for ${digits(spread(series.busy).median)} % of the time (the rest is waiting and other processes); all its threads, including garbage collection and the compiler, ${digits(spread(series.wholeCpu).median)} ms: ${digits(1000 / spread(series.wholeCpu).median)} blocks/s on one core without other load. RPC calls a block: ${digits(asked.total / read)} (${byMethod.join(', ')}).`,
    ],
  }
}

async function watchListOf(database: TestDatabase, chain: ConfiguredChain): Promise<WatchList> {
  const direct = await openDirect(database.url, 'cowry bench')
  try {
    const list = await loadWatchList(direct, chain.family, chain.name)
    if (list.size !== syntheticWatches)
      throw new Error(`${list.size} watches were loaded instead of ${syntheticWatches}`)
    return list
  } finally {
    await direct.close()
  }
}

/** Lets the indexer read the next blocks, and measures from their first commit to their last. */
async function follow(setting: Setting, { paying }: Case) {
  const { kind, configured, database, replay, indexer } = setting
  const first = setting.next
  const last = first + kind.blocks - 1
  const head = last + underWay + configured.confirmations
  setting.next = head + 1
  await replay.order({ head, paying })
  const begin = await indexer.reach(first)
  const end = await indexer.reach(last)
  await indexer.reach(head)
  const blocks = end.height - begin.height
  if (blocks < kind.blocks / 2)
    throw new Error(
      `${blocks} blocks were measured, which is too few: the indexer commits too many at a time`,
    )
  await checkDetections(database, kind.chain, first, head, paying)
  progress(`${blocks} blocks in ${digits((end.committedAt - begin.committedAt) / 1000)} s`)
  return {
    perSecond: (blocks / (end.committedAt - begin.committedAt)) * 1000,
    cpuMs: (end.cpuMs - begin.cpuMs) / blocks,
    mainCpuMs: (end.mainCpuMs - begin.mainCpuMs) / blocks,
    busy: ((end.mainCpuMs - begin.mainCpuMs) / (end.seenAt - begin.seenAt)) * 100,
    answer: await replay.order({}),
    read: head - first + 1,
  }
}

async function checkDetections(
  { db }: TestDatabase,
  chain: ReplayedChain,
  from: number,
  to: number,
  paying: Paying,
): Promise<void> {
  const [row] = await db.query<{ found: number }>(
    'select count(*)::int as found from detections where chain = $1 and block_height between $2 and $3',
    [chain, from, to],
  )
  let expected = 0
  for (let height = from; height <= to; height++) expected += paymentsAt(height, paying)
  if (row?.found !== expected) throw new Error(`${row?.found} detections, but there are ${expected}`)
}
