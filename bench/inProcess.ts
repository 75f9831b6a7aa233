import { createBlockSource } from '../indexers/blockSource.ts'
import { findPayments } from '../indexers/findPayments.ts'
import { createWatchTable, type WatchTable } from '../indexers/watchTable.ts'
import type { BlockReader } from '../src/chains/chain.ts'
import { addressCodec } from '../src/chains/codecs.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import { timed } from './measure.ts'
import { type Paying, paymentsAt } from './recordedChain.ts'
import { syntheticAddress, syntheticWatches } from './watchedDatabase.ts'

/** All synthetic addresses, as the indexer of an EVM chain holds them. */
export function syntheticTable(): WatchTable {
  const table = createWatchTable(20, syntheticWatches)
  for (let number = 1; number <= syntheticWatches; number++) table.add(syntheticAddress(number))
  return table
}

interface Range {
  first: number
  last: number
  paying: Paying
}

/**
 * Reads, proves and matches the blocks of a range as the indexer does far behind the head, without the
 * database.
 */
export async function catchUp(
  chain: ConfiguredChain,
  reader: BlockReader,
  table: WatchTable,
  { first, last, paying }: Range,
) {
  const watches = { flags: table.flags, flagsAt: table.flagsAt, readTail: async () => {} }
  const codec = addressCodec(chain.family)
  const source = createBlockSource(reader)
  globalThis.gc?.()
  const { ms, cpuMs, result } = await timed(async () => {
    let found = 0
    for (let next = first; next <= last; ) {
      const blocks = await source.next(next, last, last)
      const payments = await findPayments({ chain, codec, reader, watches }, blocks)
      found += payments.reduce((sum, each) => sum + each.payments.length, 0)
      next += blocks.length
    }
    return found
  })
  let expected = 0
  for (let height = first; height <= last; height++) expected += paymentsAt(height, paying)
  if (result !== expected) throw new Error(`${result} payments were found, but there are ${expected}`)
  const blocks = last - first + 1
  return { perSecond: (blocks / ms) * 1000, cpuMs: cpuMs / blocks }
}
