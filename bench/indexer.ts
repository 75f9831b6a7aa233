import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { readCursor } from '../indexers/cursor.ts'
import { followChain, type IndexerContext } from '../indexers/indexer.ts'
import { createIndexerMetrics } from '../indexers/indexerMetrics.ts'
import { lead } from '../indexers/leader.ts'
import { matchBlock } from '../indexers/matchBlock.ts'
import { loadWatchList } from '../indexers/watchList.ts'
import type { Block } from '../src/chains/chain.ts'
import { readBlock } from '../src/chains/evm/blockReader.ts'
import { addressCodec, connectChain } from '../src/chains/family.ts'
import { type ConfiguredChain, configuredChains } from '../src/chains/registry.ts'
import { createLog } from '../src/platform/log.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { createBell } from '../src/platform/wait.ts'
import { haveFixtures } from '../test/support/shared.ts'
import { interleave, ratio, spread, timed } from './measure.ts'
import { profiled } from './profile.ts'
import { progress } from './progress.ts'
import { envelope, recordedAnswers, recordedBlocks } from './recordedChain.ts'
import type { Stretch } from './replayNode.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'
import { watchedDatabase, watchMore } from './watchedDatabase.ts'

const bench = 'indexer'
/** Of the recipients that occur in the blocks, every so many is watched. */
const everyRecipient = 4
const blocksPerRound = 100
const rounds = 7
const firstHeight = 30_000_000

const codec = addressCodec('evm')

interface RpcAnswers {
  block: Buffer
  receipts: Buffer
}

type RpcBlock = Parameters<typeof readBlock>[0]
type RpcReceipts = Parameters<typeof readBlock>[1]

const parse = (answers: RpcAnswers) => ({
  block: (JSON.parse(answers.block.toString()) as { result: RpcBlock }).result,
  receipts: (JSON.parse(answers.receipts.toString()) as { result: RpcReceipts }).result,
})

/** Blocks per second against a million watched addresses, beside a bare JSON.parse of the same bytes. */
export async function benchIndexer(scope: Scope, run: Scope): Promise<Report> {
  if (!haveFixtures) return { figures: [], notes: ['not measured: the recorded blocks are missing (COWRY_FIXTURES)'] }
  const chain = configured()
  const database = await watchedDatabase(run)
  const { addresses, detections } = payees(chain)
  await watchMore(database.db, addresses)
  const node = scope.keep(await startNode(), (each) => each.close())
  const product = await startIndexer(scope, { ...chain, rpcUrls: [node.url] }, database.url, database.db)
  progress(`${product.watches.toLocaleString('en')} watches are loaded`)

  let detected = 0
  let megabytes = 0
  const seconds: Record<string, number> = {}
  let next = firstHeight
  const series = await interleave(bench, { rounds, warmUp: 2 }, async (index) => {
    const stretch = { first: next, count: blocksPerRound }
    next += blocksPerRound
    const answers = recordedAnswers(stretch.first, stretch.count).map(({ block, receipts }) => ({
      block: Buffer.concat(envelope(1, block)),
      receipts: Buffer.concat(envelope(1, receipts)),
    }))
    megabytes = answers.reduce((sum, each) => sum + each.block.length + each.receipts.length, 0) / 1e6
    await node.serve(stretch)
    globalThis.gc?.()
    const bare = await profiled('indexer-bare', () =>
      timed(() => {
        for (const each of answers) parse(each)
      }),
    )
    globalThis.gc?.()
    const inProcess = await profiled('indexer-in-process', () =>
      timed(() => {
        let matched = 0
        for (const each of answers) {
          const { block, receipts } = parse(each)
          matched += matchBlock(readBlock(block, receipts), product.list, codec).length
        }
        return matched
      }),
    )
    globalThis.gc?.()
    const fetched = await profiled('indexer-over-http', () => timed(() => product.fetchOnly(stretch)))
    globalThis.gc?.()
    const whole = await profiled('indexer-whole', () => timed(() => product.follow(stretch)))
    if (whole.result.detected !== detections) throw new Error(`${whole.result.detected} detections, but there are ${detections}`)
    if (inProcess.result !== fetched.result) throw new Error(`${fetched.result} transfers matched over HTTP, ${inProcess.result} in process`)
    if (index >= 0) {
      detected += whole.result.detected
      for (const [part, ms] of Object.entries(whole.result.parts)) seconds[part] = (seconds[part] ?? 0) + ms / 1000
    }
    return {
      bare: bare.ms,
      inProcess: inProcess.ms,
      fetched: fetched.ms,
      whole: whole.ms,
      bareCpu: bare.cpuMs,
      inProcessCpu: inProcess.cpuMs,
      fetchedCpu: fetched.cpuMs,
      wholeCpu: whole.cpuMs,
      loop: whole.result.loop * 100,
    }
  })

  const perSecond = (times: readonly number[]) => spread(times.map((ms) => (blocksPerRound / ms) * 1000))
  const speed = (times: readonly number[]) => `${digits((megabytes / spread(times).median) * 1000)} MB/s`
  const cpu = (times: readonly number[]) => `${digits(spread(times).median / blocksPerRound)} ms (${digits(ratio(times, series.bareCpu).median)} ×)`
  const inProcess = ratio(series.inProcess, series.bare)
  const blocks = rounds * blocksPerRound
  const parts = Object.entries(seconds).map(([part, total]) => `${part} ${digits((total / blocks) * 1000)} ms`)
  return {
    figures: [
      figure(bench, 'bare JSON.parse of the answers', perSecond(series.bare), 'blocks/s', { extra: speed(series.bare), ratio: 1 }),
      figure(bench, 'parse, read, match in process', perSecond(series.inProcess), 'blocks/s', {
        extra: speed(series.inProcess),
        ratio: inProcess,
        aim: 'at most 2 × the time',
        met: inProcess.median <= 2,
      }),
      figure(bench, 'the same over HTTP, 8 at a time', perSecond(series.fetched), 'blocks/s', {
        extra: speed(series.fetched),
        ratio: ratio(series.fetched, series.bare),
      }),
      figure(bench, 'whole indexer: HTTP to commit', perSecond(series.whole), 'blocks/s', {
        extra: speed(series.whole),
        ratio: ratio(series.whole, series.bare),
      }),
    ],
    notes: [
      `ratios are of times. Blocks ${recordedBlocks.join(' and ')} in turn, ${digits(megabytes / blocksPerRound)} MB each; ${product.watches.toLocaleString('en')} watches; ${rounds} rounds of ${blocksPerRound} blocks; ${detected.toLocaleString('en')} detections were committed.`,
      `of the whole indexer's time for a block: ${parts.join(', ')} (one after the other); its thread is busy ${digits(spread(series.loop).median)} % of the time. Node, indexer and Postgres share the cores.`,
      `computing time of the thread for a block, which other load on the machine disturbs less: bare ${cpu(series.bareCpu)}, in process ${cpu(series.inProcessCpu)}, over HTTP ${cpu(series.fetchedCpu)}, whole ${cpu(series.wholeCpu)}.`,
    ],
  }
}

function configured(): ConfiguredChain {
  const [chain] = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' }).chains
  if (!chain) throw new Error('ethereum is not configured')
  return chain
}

/** Some of those who are paid in the chain's tokens in the recorded blocks, and how often they are in one round. */
function payees(chain: ConfiguredChain): { addresses: Uint8Array[]; detections: number } {
  const contracts = new Set<string | null>(chain.tokens.map((token) => token.contract))
  const paid = recordedAnswers(firstHeight, recordedBlocks.length)
    .flatMap(({ block, receipts }) => readBlock(JSON.parse(block.toString()) as RpcBlock, JSON.parse(receipts.toString()) as RpcReceipts).transfers)
    .filter((transfer) => contracts.has(transfer.contract))
    .map((transfer) => transfer.to)
  const some = new Set([...new Set(paid)].filter((_, i) => i % everyRecipient === 0))
  const inAll = paid.filter((to) => some.has(to)).length
  return { addresses: [...some].map((address) => codec.bytes(address)), detections: (inAll * blocksPerRound) / recordedBlocks.length }
}

async function startNode() {
  const worker = new Worker(new URL('./replayNode.ts', import.meta.url))
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    /** Answers these blocks from now on, the last of them as its head. */
    async serve(stretch: Stretch) {
      worker.postMessage(stretch)
      await once(worker, 'message')
    },
    close: () => worker.terminate(),
  }
}

/** The indexer's own parts, put together as its process does; what they wait for is added up. */
async function startIndexer(scope: Scope, chain: ConfiguredChain, url: string, db: IndexerContext['db']) {
  const never = new AbortController().signal
  const log = createLog('bench', 'silent')
  const metrics = createIndexerMetrics(createMetrics('bench'), chain.name)
  const connection = scope.keep(connectChain(chain, { timeoutMs: 10_000, observe: metrics, log }), (each) => each.close())
  const leadership = await lead(url, chain.name, never, () => {})
  if (!leadership) throw new Error('not the leader')
  scope.keep(leadership, (each) => each.close())
  const list = await loadWatchList(leadership.direct, chain.family, chain.name)

  return {
    list,
    watches: list.size,
    /** Reads and matches blocks, as many ahead as the indexer has; gives how many transfers matched. */
    async fetchOnly({ first, count }: Stretch): Promise<number> {
      let matched = 0
      const ahead: Promise<Block | null>[] = []
      for (let i = 0; i < count + 8; i++) {
        if (i < count) ahead.push(connection.reader.block(first + i))
        const block = i < 8 ? null : await ahead[i - 8]
        if (block) matched += matchBlock(block, list, codec).length
      }
      return matched
    },
    /** Follows the chain to the end of the stretch. */
    async follow({ first, count }: Stretch): Promise<{ detected: number; loop: number; parts: Record<string, number> }> {
      const over = new AbortController()
      const parts: Record<string, number> = {}
      const add = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
        const { ms, result } = await timed(work)
        parts[part] = (parts[part] ?? 0) + ms
        return result
      }
      let detected = 0
      const watches = Object.create(list, { readTail: { value: () => add('tail of the watch list', () => list.readTail()) } }) as typeof list
      const before = performance.eventLoopUtilization()
      const cursor = await readCursor(db, chain.name)
      await followChain(
        {
          db: { ...db, tx: (work) => add('commit', () => db.tx(work)) },
          chain,
          epoch: leadership.epoch,
          codec,
          reader: connection.reader,
          watches,
          metrics: {
            ...metrics,
            block(block, head, found) {
              metrics.block(block, head, found)
              detected += found
              if (block.height === first + count - 1) over.abort()
            },
          },
          log,
          bell: createBell(),
          pollMs: 2000,
          signal: over.signal,
        },
        cursor,
        first,
      )
      return { detected, loop: performance.eventLoopUtilization(before).utilization, parts }
    },
  }
}
