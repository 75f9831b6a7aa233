import { randomFillSync } from 'node:crypto'
import { createWatchTable } from '../indexers/watchTable.ts'
import { heldBytes } from './measure.ts'
import { textOf } from './textOf.ts'

// What a million addresses take, in a process that has nothing else to give back while it is measured.

process.on('disconnect', () => process.exit())

export interface Hold {
  kind: 'set' | 'table'
  count: number
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

process.on('message', ({ kind, count }: Hold) => {
  void (async () => {
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
