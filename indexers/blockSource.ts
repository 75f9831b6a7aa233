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
  /** Null while they are requested. */
  arrived: Block[] | null
}

/** Concurrent requests; the next pieces are parsed while the first is committed. */
const piecesAhead = 3
const blocksAhead = 8
/** Blocks of a deep piece: sized to take about `pieceMs`, which bounds memory on chains with large blocks. */
const max = 64
/**
 * Deep pieces that have arrived while the last ones were committed are committed together, up to this many
 * blocks.
 */
const maxTogether = 3 * max
const pieceMs = 150

/** @param now a clock in milliseconds */
export function createBlockSource(
  reader: Pick<BlockReader, 'block' | 'blocks' | 'atHead'>,
  now = () => performance.now(),
): BlockSource {
  const one = reader.atHead ?? reader.block
  let pieces: Piece[] = []
  let size = 8

  async function range(from: number, to: number): Promise<Block[]> {
    const started = now()
    const blocks = await reader.blocks(from, to)
    const ms = (now() - started) / piecesAhead
    if (blocks.length < to - from + 1) size = Math.max(1, Math.ceil(size / 2))
    else if (to - from + 1 === size)
      if (ms < pieceMs / 2) size = Math.min(max, size * 2)
      else if (ms > pieceMs * 2) size = Math.max(1, Math.ceil(size / 2))
    return blocks
  }

  function begin(from: number, deep: number, last: number): Piece | null {
    if (from > last) return null
    const to = from <= deep ? Math.min(deep, last, from + size - 1) : from
    const blocks = from <= deep ? range(from, to) : one(from).then((block) => (block ? [block] : []))
    const piece: Piece = { from, to, blocks, arrived: null }
    // Awaited later; the second function avoids an unhandled rejection until then.
    blocks.then(
      (arrived) => {
        piece.arrived = arrived
      },
      () => {},
    )
    return piece
  }

  function request(from: number, ahead: number, deep: number, head: number): void {
    while (pieces.length < ahead) {
      const piece = begin((pieces.at(-1)?.to ?? from - 1) + 1, deep, head)
      if (!piece) return
      pieces.push(piece)
    }
  }

  /** Takes the pieces that follow these blocks without a gap, and have arrived. */
  function following(blocks: Block[], from: number, deep: number): Block[] {
    const all = [...blocks]
    for (
      let next = pieces[0];
      next?.arrived && next.from === from + all.length && next.to <= deep;
      next = pieces[0]
    ) {
      if (next.arrived.length === 0 || all.length + next.arrived.length > maxTogether) break
      all.push(...next.arrived)
      pieces.shift()
    }
    return all
  }

  return {
    async next(from, deep, head) {
      // Request failed pieces again; keep later ones that arrived.
      pieces = pieces.filter((piece) => piece.from >= from)
      const behind = pieces[0]
      const missing = behind?.from === from ? null : begin(from, deep, behind ? behind.from - 1 : head)
      if (missing) pieces.unshift(missing)
      const ahead = from <= deep ? piecesAhead : blocksAhead
      request(from, ahead, deep, head)
      const first = pieces.shift()
      if (!first) return []
      const blocks = await first.blocks
      // The chain does not have it yet: request it and all later blocks again.
      if (blocks.length === 0) pieces = []
      if (blocks.length === 0 || from > deep) return blocks
      const all = following(blocks, from, deep)
      // Requested now, so that they arrive while these are committed.
      request(from + all.length, ahead, deep, head)
      return all
    },
    forget() {
      pieces = []
    },
  }
}
