import { availableParallelism } from 'node:os'
import type { WatchTable } from '../indexers/watchTable.ts'
import { createComputeThreads } from '../src/platform/computeThreads.ts'
import { catchUp, syntheticTable } from './inProcess.ts'
import { interleave, ratio, spread } from './measure.ts'
import { memoryNode, readerOf } from './memoryNode.ts'
import { configuredChain, firstHeight, type ReplayedEvmChain } from './recordedChain.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'
import { syntheticWatches } from './watchedDatabase.ts'

const bench = 'threads'
const [rounds, warmUp] = [5, 2]
/** Per round. */
const blocks = 200
const paying = { outOf: 10, payments: 1 }
const aim = 1.7

const kinds: readonly { chain: ReplayedEvmChain; label: string }[] = [
  { chain: 'ethereum', label: 'Ethereum-like' },
  { chain: 'polygon', label: 'Polygon-like' },
]

/**
 * Catch-up without and with threads, from a node in this process that costs nothing, so that reading alone is
 * measured.
 */
export async function* benchThreads(scope: Scope): AsyncGenerator<Report> {
  // All cores are free: no database runs.
  const count = Math.min(availableParallelism() - 1, 4)
  if (count === 0) throw new Error('one core: no thread would be started')
  const table = syntheticTable()
  for (const { chain, label } of kinds) yield await benchKind(scope, chain, label, table, count)
}

async function benchKind(
  scope: Scope,
  name: ReplayedEvmChain,
  label: string,
  table: WatchTable,
  count: number,
): Promise<Report> {
  const chain = configuredChain(name)
  const range = { first: firstHeight, last: firstHeight + blocks - 1, paying }
  const node = memoryNode(name, { head: range.last + 1000, paying, asFromSockets: true })
  const failures: string[] = []
  const threads = createComputeThreads({ count, failed: (why) => void failures.push(why) })
  scope.keep(threads, async (each) => each.close())
  const [alone, shared] = [
    await readerOf(chain, () => node.rpc),
    await readerOf(chain, () => node.rpc, threads),
  ]
  const series = await interleave(`${bench}, ${label}`, { rounds, warmUp }, async () => {
    const [without, having] = [
      await catchUp(chain, alone, table, range),
      await catchUp(chain, shared, table, range),
    ]
    return {
      without: without.perSecond,
      having: having.perSecond,
      withoutCpu: without.cpuMs,
      havingCpu: having.cpuMs,
    }
  })
  threads.close()
  if (failures.length > 0) throw new Error(`a thread failed: ${failures[0]}`)
  const faster = ratio(series.having, series.without)
  const cpu = (of: readonly number[]) => `${digits(spread(of).median)} ms of the main thread each`
  return {
    figures: [
      figure(bench, `${label}: catch-up without threads`, spread(series.without), 'blocks/s', {
        extra: cpu(series.withoutCpu),
        ratio: 1,
      }),
      figure(
        bench,
        `${label}: with ${count === 1 ? 'one thread' : `${count} threads`}, how much faster`,
        spread(series.having),
        'blocks/s',
        {
          extra: cpu(series.havingCpu),
          ratio: faster,
          aim: `at least ${aim} times`,
          met: faster.median >= aim,
        },
      ),
    ],
    notes: [
      `${label}: rounds of ${blocks} blocks, read, proven and matched with ${syntheticWatches.toLocaleString('en')} addresses, without HTTP and database. The node's answers are in memory and arrive as from 16 sockets. The best possible is ${count + 1} times as fast.`,
    ],
  }
}
