import { createBlockSource } from '../indexers/blockSource.ts'
import { findPayments } from '../indexers/findPayments.ts'
import { createWatchTable, type WatchTable } from '../indexers/watchTable.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { type ComputeThreads, createComputeThreads, threadsByCores } from '../src/platform/computeThreads.ts'
import { interleave, ratio, spread, timed } from './measure.ts'
import { memoryNode, memoryReader } from './memoryNode.ts'
import { configuredChain, firstHeight, paymentsAt, type ReplayedEvmChain } from './recordedChain.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'
import { syntheticAddress, syntheticWatches } from './watchedDatabase.ts'

const bench = 'threads'
const [rounds, warmUp] = [5, 2]
const blocksPerRound = 200
const paying = { outOf: 10, payments: 1 }
const aim = 1.7

const kinds: readonly { chain: ReplayedEvmChain; label: string }[] = [
  { chain: 'ethereum', label: 'Ethereum-like' },
  { chain: 'polygon', label: 'Polygon-like' },
]

/** Catch-up without and with threads, from a node in this process that costs nothing, so that reading alone is measured. */
export async function* benchThreads(scope: Scope): AsyncGenerator<Report> {
  const threads = threadsByCores()
  if (threads === 0) throw new Error('one core: no thread would be started')
  const watches = createWatchTable(20, syntheticWatches)
  for (let number = 1; number <= syntheticWatches; number++) watches.add(syntheticAddress(number))
  for (const { chain, label } of kinds) yield await benchKind(scope, chain, label, watches, threads)
}

async function benchKind(scope: Scope, name: ReplayedEvmChain, label: string, watches: WatchTable, count: number): Promise<Report> {
  const chain = configuredChain(name)
  const failures: string[] = []
  const threads = createComputeThreads({ count, failed: (why) => void failures.push(why) })
  scope.keep(threads, async (each) => each.close())
  const [alone, shared] = [await catchUpOf(chain, name, watches), await catchUpOf(chain, name, watches, threads)]
  const series = await interleave(`${bench}, ${label}`, { rounds, warmUp }, async () => {
    const [without, having] = [await measured(alone), await measured(shared)]
    if (without.found !== having.found) throw new Error(`${without.found} payments were found without threads, but ${having.found} with them`)
    return { without: without.perSecond, having: having.perSecond, withoutCpu: without.cpuMs, havingCpu: having.cpuMs }
  })
  threads.close()
  if (failures.length > 0) throw new Error(`a thread failed: ${failures[0]}`)
  const faster = ratio(series.having, series.without)
  const cpu = (of: readonly number[]) => `${digits(spread(of).median)} ms CPU each`
  const s = count === 1 ? '' : 's'
  return {
    figures: [
      figure(bench, `${label}: catch-up without threads`, spread(series.without), 'blocks/s', { extra: cpu(series.withoutCpu), ratio: 1 }),
      figure(bench, `${label}: catch-up with ${count} thread${s}, times as fast`, spread(series.having), 'blocks/s', {
        extra: cpu(series.havingCpu),
        ratio: faster,
        aim: `at least ${aim} times`,
        met: faster.median >= aim,
      }),
    ],
    notes: [
      `${label}: rounds of ${blocksPerRound} blocks, read, proven and matched with ${syntheticWatches.toLocaleString('en')} addresses, without HTTP and database. Answers lie in memory and arrive as from 16 sockets. The best possible is ${count + 1} times as fast.`,
    ],
  }
}

/** Reads, proves and matches the blocks of a round, as the indexer does. @returns the number of payments */
async function catchUpOf(
  chain: ConfiguredChain,
  name: ReplayedEvmChain,
  table: WatchTable,
  threads?: ComputeThreads,
): Promise<() => Promise<number>> {
  const [first, last] = [firstHeight, firstHeight + blocksPerRound - 1]
  const node = memoryNode(name, { head: last + 1000, paying, asFromSockets: true })
  const reader = await memoryReader(chain, node, threads)
  const watches = { flags: table.flags, flagsAt: table.flagsAt, readTail: async () => {} }
  const codec = addressCodec(chain.family)
  const expected = Array.from({ length: blocksPerRound }, (_, index) => paymentsAt(first + index, paying)).reduce((sum, each) => sum + each, 0)
  return async () => {
    const source = createBlockSource(reader)
    let found = 0
    for (let next = first; next <= last; ) {
      const blocks = await source.next(next, last, last)
      const payments = await findPayments({ chain, codec, reader, watches }, blocks)
      found += payments.reduce((sum, each) => sum + each.payments.length, 0)
      next += blocks.length
    }
    if (found !== expected) throw new Error(`${found} payments were found, but there are ${expected}`)
    return found
  }
}

async function measured(catchUp: () => Promise<number>) {
  globalThis.gc?.()
  const { ms, cpuMs, result } = await timed(catchUp)
  return { perSecond: (blocksPerRound / ms) * 1000, cpuMs: cpuMs / blocksPerRound, found: result }
}
