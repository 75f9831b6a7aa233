import type { WatchTable } from '../indexers/watchTable.ts'
import { openJsonRpc } from '../src/chains/providers/jsonRpc.ts'
import type { Gate } from '../src/chains/providers/providers.ts'
import { catchUp, syntheticTable } from './inProcess.ts'
import { interleave, ratio, spread } from './measure.ts'
import { readerOf } from './memoryNode.ts'
import { configuredChain, firstHeight, type ReplayedEvmChain } from './recordedChain.ts'
import { startReplay } from './replay.ts'
import { digits, figure, type Report } from './report.ts'
import { createScope, type Scope } from './scope.ts'

const bench = 'batches'
const [rounds, warmUp] = [5, 2]
/** Per round. */
const blocks = 300
const paying = { outOf: 10, payments: 1 }

const kinds: readonly { chain: ReplayedEvmChain; label: string }[] = [
  { chain: 'ethereum', label: 'Ethereum-like' },
  { chain: 'polygon', label: 'Polygon-like' },
]
/**
 * From the request to its answer, in addition to the node's own time: in the same place, and on another
 * continent.
 */
const latenciesMs = [0, 100]

/** Catch-up from a node in another process, with each call in a request of its own and in batches. */
export async function* benchBatches(outer: Scope): AsyncGenerator<Report> {
  const table = syntheticTable()
  for (const { chain, label } of kinds)
    for (const latencyMs of latenciesMs) yield await benchKind(outer, chain, label, table, latencyMs)
}

async function benchKind(
  outer: Scope,
  name: ReplayedEvmChain,
  label: string,
  table: WatchTable,
  latencyMs: number,
): Promise<Report> {
  const scope = outer.keep(createScope(), (each) => each.close())
  const chain = configuredChain(name)
  const range = { first: firstHeight, last: firstHeight + blocks - 1, paying }
  const replay = await startReplay(scope, name, { head: range.last + 1000, latencyMs })
  await replay.order({ paying })
  const open = (gate: Gate) => scope.keep(openJsonRpc(replay.url, 60_000, gate), (each) => each.close())
  const one = await readerOf(chain, (gate) => {
    const { batching: _, ...rpc } = open(gate)
    return rpc
  })
  const many = await readerOf(chain, open)
  let requests = 0
  let calls = 0
  const series = await interleave(
    `${bench}, ${label}, ${latencyMs} ms`,
    { rounds, warmUp },
    async (index) => {
      const alone = await catchUp(chain, one, table, range)
      await replay.order({})
      const batched = await catchUp(chain, many, table, range)
      const answered = await replay.order({})
      if (index >= 0) {
        requests += answered.requests
        calls += Object.values(answered.calls).reduce((sum, each) => sum + each, 0)
      }
      return {
        alone: alone.perSecond,
        batched: batched.perSecond,
        aloneCpu: alone.cpuMs,
        batchedCpu: batched.cpuMs,
      }
    },
  )
  await scope.close()
  const cpu = (of: readonly number[]) => `${digits(spread(of).median)} ms of the main thread each`
  const what = `${label}, ${latencyMs} ms away`
  return {
    figures: [
      figure(bench, `${what}: a request for each call`, spread(series.alone), 'blocks/s', {
        extra: cpu(series.aloneCpu),
        ratio: 1,
      }),
      figure(bench, `${what}: in batches, how much faster`, spread(series.batched), 'blocks/s', {
        extra: cpu(series.batchedCpu),
        ratio: ratio(series.batched, series.alone),
      }),
    ],
    notes: [
      `${what}: ${digits(calls / requests)} calls a request in batches; ${rounds} rounds of ${blocks} blocks, read, proven and matched in this process.`,
    ],
  }
}
