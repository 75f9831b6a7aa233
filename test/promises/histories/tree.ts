import type { BlockHeader } from '../../../src/chains/chain.ts'

export const blockMs = 12_000
export const firstHeight = 100
/**
 * The tree starts yesterday: blocks are never ahead of the clock, and expiry by chain time implies expiry by
 * the clock.
 */
export const agoMs = 86_400_000
/** Initial blocks. */
const atFirst = 7

/**
 * `failed`: of a failed transaction, which not every reader distinguishes. `internal`: of the native coin; on
 * EVM visible only in traces.
 */
export type TransferKind = 'log' | 'native' | 'failed' | 'internal'

export interface TreeTransfer {
  kind: TransferKind
  contract: string | null
  to: string
  amount: bigint
}

/** A signed transaction: it may be in any block, on several branches, or in no block. */
export interface Transaction {
  id: string
  /** Makes two transactions with the same transfers differ. */
  nonce: number
  transfers: readonly TreeTransfer[]
}

export interface TreeBlock extends BlockHeader {
  parent: TreeBlock | null
  placed: { transaction: Transaction; firstLog: number }[]
  /** A false node's calls, on chains that serve calls separately. */
  calls?: { transaction: Transaction }[]
  /** Time of creation, on the same scale as the sessions'. */
  born: number
  /** 0: a block. Otherwise this height has no block; counts such heights in a row. */
  skipped: number
  /** The tree's own encoding, from which the id is derived. */
  content: string
}

/** The newest block at or below a height. */
export function withBlock(from: TreeBlock): TreeBlock {
  let at = from
  while (at.skipped > 0 && at.parent) at = at.parent
  return at
}

export interface ShapeOfTree {
  /** Blocks on top of a final one; null: the chain does not report finality. 0: no forks. */
  finalDepth: number | null
  /** The parent id of the first block. */
  noParent: string
  blockId(block: Omit<TreeBlock, 'id'>): string
}

/** All blocks ever mined, and the canonical chain. The same content on the same parent is the same block. */
export function createTree(base: number, tick: () => number, { finalDepth, noParent, blockId }: ShapeOfTree) {
  const known = new Map<string, TreeBlock>()
  const leaves = new Set<TreeBlock>()
  let canonical = new Map<number, TreeBlock>()
  let tip: TreeBlock
  let highest = 0
  let final: TreeBlock | null = null

  function add(
    parent: TreeBlock | null,
    placed: TreeBlock['placed'],
    salt: number,
    isSkipped = false,
  ): TreeBlock {
    const height = parent ? parent.height + 1 : firstHeight
    const content = JSON.stringify([
      parent?.id,
      height,
      salt,
      placed.map(({ transaction, firstLog }) => [transaction.id, firstLog]),
    ])
    const made = {
      height,
      content,
      parentId: parent?.id ?? noParent,
      time: new Date(Math.floor(base / 1000) * 1000 + (height - firstHeight) * blockMs + (salt % 5) * 1000),
      parent,
      placed,
      born: tick(),
      skipped: isSkipped ? (parent?.skipped ?? 0) + 1 : 0,
    }
    const id = blockId(made)
    const block = known.get(id) ?? { ...made, id }
    known.set(id, block)
    if (parent) leaves.delete(parent)
    leaves.add(block)
    return block
  }

  /** Final blocks stay canonical if the chain switches to this block. */
  function allows(block: TreeBlock): boolean {
    if (!final) return true
    let at: TreeBlock | null = withBlock(block)
    while (at && at.height > final.height) at = at.parent
    return at === final
  }

  function choose(block: TreeBlock): void {
    if (!allows(block)) throw new Error(`block ${block.height} is not on top of the final block`)
    tip = withBlock(block)
    highest = Math.max(highest, tip.height)
    canonical = new Map()
    for (let each: TreeBlock | null = tip; each; each = each.parent) canonical.set(each.height, each)
    if (finalDepth === null) return
    const deep = withBlock(canonical.get(Math.max(firstHeight, tip.height - finalDepth)) ?? tip)
    if (!final || deep.height > final.height) final = deep
  }

  tip = add(null, [], 0)
  for (let i = 0; i < atFirst; i++) tip = add(tip, [], 0)
  choose(tip)
  return {
    tip: () => tip,
    /** The final block; null: the chain does not report it. */
    final: () => final,
    /** The maximum height so far. */
    highest: () => highest,
    at: (height: number) => canonical.get(height) ?? null,
    /** A block of any branch. */
    named: (id: string) => known.get(id) ?? null,
    blocks: () => [...canonical.values()].sort((a, b) => a.height - b.height),
    has: (transaction: Transaction) =>
      [...canonical.values()].some(({ placed }) => placed.some((each) => each.transaction === transaction)),
    /** @param skipped heights without a block before it */
    mine(placed: TreeBlock['placed'], salt: number, skipped = 0) {
      let parent = tip
      for (let i = 0; i < skipped; i++) parent = add(parent, [], 0, true)
      choose(add(parent, placed, salt))
    },
    /** Drops the newest `depth` blocks. @returns their transactions */
    drop(depth: number): TreeBlock['placed'][] {
      const dropped: TreeBlock['placed'][] = []
      let at = tip
      for (
        let i = 0;
        i < depth && at.parent && at.height > Math.max(firstHeight + 1, final?.height ?? 0);
        i++
      ) {
        dropped.unshift(at.placed)
        at = withBlock(at.parent)
      }
      choose(at)
      return dropped
    },
    allows,
    choose,
    abandoned: () =>
      [...leaves].filter((leaf) => leaf !== tip && tip.height - leaf.height < 6 && allows(leaf)),
  }
}
export type Tree = ReturnType<typeof createTree>

export const headerOf = ({ height, id, parentId, time }: TreeBlock): BlockHeader => ({
  height,
  id,
  parentId,
  time,
})
