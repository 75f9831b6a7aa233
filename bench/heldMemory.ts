import { randomFillSync } from 'node:crypto'
import { loadWatchList, type WatchList } from '../indexers/watchList.ts'
import { createWatchTable } from '../indexers/watchTable.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { heldBytes } from './measure.ts'
import { textOf } from './textOf.ts'

// Memory of a million addresses, in a process that frees no other memory during the measurement.

process.on('disconnect', () => process.exit())

export interface Hold {
  /** `list`: the watch list that the indexer of Ethereum loads from a database. */
  kind: 'set' | 'table' | 'list'
  count: number
  databaseUrl?: string
}

export interface Held {
  held: number
  /** Bytes that the table itself reports; null for a Set. */
  reported: number | null
}

const piece = Buffer.alloc(20 * 1000)

function fill(add: (address: Buffer) => void, size: () => number, count: number): void {
  while (size() < count) {
    randomFillSync(piece)
    for (let at = 0; at < piece.length && size() < count; at += 20) add(piece.subarray(at, at + 20))
  }
}

process.on('message', ({ kind, count, databaseUrl }: Hold) => {
  void (async () => {
    if (databaseUrl !== undefined) {
      process.send?.((await holdList(databaseUrl, count)) satisfies Held)
      return
    }
    // Warm up: compilation and first calls are not part of the addresses' memory. This one is kept to the
    // end: its release would be subtracted.
    const small = make(kind, 10_000)
    const before = await heldBytes()
    const { size, reported } = make(kind, count)
    const held = (await heldBytes()) - before
    // Keeps both alive until here.
    if (size() !== count || small.size() !== 10_000) throw new Error(`${size()} of ${count}`)
    process.send?.({ held, reported } satisfies Held)
  })()
})

async function holdList(databaseUrl: string, count: number): Promise<Held> {
  const direct = await openDirect(databaseUrl, 'cowry bench')
  try {
    let list: WatchList | null = await loadWatchList(direct, 'evm', 'ethereum')
    if (list.size < count) throw new Error(`${list.size} of ${count}`)
    const reported = list.bytes
    const withIt = await heldBytes()
    // Releasing the list leaves the heap growth of reading a million rows, which is not part of the list.
    list = null
    return { held: withIt - (await heldBytes()), reported }
  } finally {
    await direct.close()
  }
}

function make(kind: Hold['kind'], count: number): { size: () => number; reported: number | null } {
  if (kind === 'table') {
    const table = createWatchTable(20, count)
    const size = () => table.size
    fill((address) => table.add(address), size, count)
    return { size, reported: table.bytes }
  }
  const set = new Set<string>()
  const size = () => set.size
  fill((address) => set.add(textOf(address)), size, count)
  return { size, reported: null }
}

process.send?.({ ready: true })
