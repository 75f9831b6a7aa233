import type { Block, BlockReader } from '../src/chains/chain.ts'

/** Fetches the next blocks ahead of their commit. */
export interface BlockSource {
  /**
   * The blocks from `from` on; empty if the chain does not have it yet.
   * @param deep blocks up to this height come in batches
   * @param head nothing above it is requested
   */
  next(from: number, deep: number, head: number): Promise<Block[]>
  /** Drops fetched blocks, after a reorg. */
  forget(): void
}

interface Piece {
  from: number
  to: number
  blocks: Promise<Block[]>
}

/** Concurrent requests; the next pieces are parsed while the first is committed. */
const piecesAhead = 3
const blocksAhead = 8
/** Blocks of a deep piece: sized to take about `pieceMs`, which bounds memory on chains with large blocks. */
const max = 64
const pieceMs = 150

/** @param now a clock in milliseconds */
export function createBlockSource(reader: Pick<BlockReader, 'block' | 'blocks' | 'atHead'>, now = () => performance.now()): BlockSource {
  const one = reader.atHead ?? reader.block
  let pieces: Piece[] = []
  let size = 8

  async function range(from: number, to: number): Promise<Block[]> {
    const started = now()
    const blocks = await reader.blocks(from, to)
    const ms = (now() - started) / piecesAhead
    if (blocks.length < to - from + 1) size = Math.max(1, Math.ceil(size / 2))
    else if (to - from + 1 === size) size = ms < pieceMs / 2 ? Math.min(max, size * 2) : ms > pieceMs * 2 ? Math.max(1, Math.ceil(size / 2)) : size
    return blocks
  }

  function begin(from: number, deep: number, last: number): Piece | null {
    if (from > last) return null
    const to = from <= deep ? Math.min(deep, last, from + size - 1) : from
    const blocks = from <= deep ? range(from, to) : one(from).then((block) => (block ? [block] : []))
    // Awaited later; avoids an unhandled rejection until then.
    blocks.catch(() => {})
    return { from, to, blocks }
  }

  return {
    async next(from, deep, head) {
      // Request failed pieces again; keep later ones that arrived.
      pieces = pieces.filter((piece) => piece.from >= from)
      const behind = pieces[0]
      const missing = behind?.from === from ? null : begin(from, deep, behind ? behind.from - 1 : head)
      if (missing) pieces.unshift(missing)
      const ahead = from <= deep ? piecesAhead : blocksAhead
      while (pieces.length < ahead) {
        const piece = begin((pieces.at(-1)?.to ?? from - 1) + 1, deep, head)
        if (!piece) break
        pieces.push(piece)
      }
      const first = pieces.shift()
      if (!first) return []
      const blocks = await first.blocks
      // The chain does not have it yet: request it and all later blocks again.
      if (blocks.length === 0) pieces = []
      return blocks
    },
    forget() {
      pieces = []
    },
  }
}
