import { randomFillSync } from 'node:crypto'
import { loadWatchList, type WatchList } from '../indexers/watchList.ts'
import { createWatchTable } from '../indexers/watchTable.ts'
import { openDirect } from '../src/platform/db.ts'
import { heldBytes } from './measure.ts'
import { textOf } from './textOf.ts'

// What a million addresses take, in a process that has nothing else to give back while it is measured.

process.on('disconnect', () => process.exit())

export interface Hold {
  /** `list`: what the indexer of Ethereum loads out of a database. */
  kind: 'set' | 'table' | 'list'
  count: number
  databaseUrl?: string
}

export interface Held {
  held: number
  /** What the table itself says; null for a Set. */
  told: number | null
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
    // Once through everything: what compiling and the first call take is not the addresses'.
    make(kind, 10_000)
    const before = await heldBytes()
    const { size, told } = make(kind, count)
    const held = (await heldBytes()) - before
    // Asked last, so that it lives until then.
    if (size() !== count) throw new Error(`${size()} of ${count}`)
    process.send?.({ held, told } satisfies Held)
  })()
})

async function holdList(databaseUrl: string, count: number): Promise<Held> {
  const direct = await openDirect(databaseUrl, 'cowry bench')
  try {
    let list: WatchList | null = await loadWatchList(direct, 'evm', 'ethereum')
    if (list.size < count) throw new Error(`${list.size} of ${count}`)
    const told = list.bytes
    const withIt = await heldBytes()
    // Let go of, it leaves behind what reading a million rows made the process grow by, which is no part of it.
    list = null
    return { held: withIt - (await heldBytes()), told }
  } finally {
    await direct.close()
  }
}

function make(kind: Hold['kind'], count: number): { size: () => number; told: number | null } {
  if (kind === 'table') {
    const table = createWatchTable(20, count)
    const size = () => table.size
    fill((address) => table.add(address), size, count)
    return { size, told: table.bytes }
  }
  const set = new Set<string>()
  const size = () => set.size
  fill((address) => set.add(textOf(address)), size, count)
  return { size, told: null }
}

process.send?.({ ready: true })
