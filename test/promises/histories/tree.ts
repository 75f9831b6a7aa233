import type { BlockHeader } from '../../../src/chains/chain.ts'

export const blockMs = 12_000
export const firstHeight = 100
/** The tree is of yesterday: on no chain are blocks ahead of the clock, and what is over by the chain's time is over by the clock's. */
export const agoMs = 86_400_000
/** Blocks that there are before anything happens. */
const atFirst = 7

/** `failed`: of a transaction that failed, which not every reading can tell. `internal`: of the native coin, and on EVM only a trace shows it. */
export type MovementKind = 'log' | 'native' | 'failed' | 'internal'

export interface Movement {
  kind: MovementKind
  contract: string | null
  to: string
  amount: bigint
}

/** What somebody signed: it may stand in any block, of several branches, or in none. */
export interface Transaction {
  id: string
  /** Makes two transactions of the same movements two. */
  nonce: number
  movements: readonly Movement[]
}

export interface TreeBlock extends BlockHeader {
  parent: TreeBlock | null
  placed: { transaction: Transaction; firstLog: number }[]
  /** What a node that lies says of the calls in them, where it tells calls apart from the block. */
  calls?: { transaction: Transaction }[]
  /** When it came into being, counted with the sessions. */
  born: number
  /** 0: a block. Else there is none at this height, and so many in a row lack one. */
  skipped: number
  /** What its id is made of, in the tree's own form. */
  content: string
}

/** The newest at or below a height that is a block. */
export function withBlock(from: TreeBlock): TreeBlock {
  let at = from
  while (at.skipped > 0 && at.parent) at = at.parent
  return at
}

export interface ShapeOfTree {
  /** Blocks on top of one that the chain calls final; null: it never says so. 0: there are no forks. */
  finalDepth: number | null
  /** What the first block names as its parent. */
  noParent: string
  blockId(block: Omit<TreeBlock, 'id'>): string
}

/** Every block that was ever mined, and which of them are the chain now. The same content after the same parent is the same block. */
export function createTree(base: number, tick: () => number, { finalDepth, noParent, blockId }: ShapeOfTree) {
  const known = new Map<string, TreeBlock>()
  const leaves = new Set<TreeBlock>()
  let canonical = new Map<number, TreeBlock>()
  let tip: TreeBlock
  let highest = 0
  let final: TreeBlock | null = null

  function add(parent: TreeBlock | null, placed: TreeBlock['placed'], salt: number, isSkipped = false): TreeBlock {
    const height = parent ? parent.height + 1 : firstHeight
    const content = JSON.stringify([parent?.id, height, salt, placed.map(({ transaction, firstLog }) => [transaction.id, firstLog])])
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

  /** Whether what is final stays so if the chain turns there. */
  function allows(block: TreeBlock): boolean {
    if (!final) return true
    let at: TreeBlock | null = withBlock(block)
    while (at && at.height > final.height) at = at.parent
    return at === final
  }

  function choose(block: TreeBlock): void {
    if (!allows(block)) throw new Error(`${block.height} is not on what is final`)
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
    /** What the chain calls final, whatever became of what is above; null: it does not say. */
    final: () => final,
    /** The chain was once this high. */
    highest: () => highest,
    at: (height: number) => canonical.get(height) ?? null,
    /** A block of any branch. */
    named: (id: string) => known.get(id) ?? null,
    blocks: () => [...canonical.values()].sort((a, b) => a.height - b.height),
    has: (transaction: Transaction) => [...canonical.values()].some(({ placed }) => placed.some((each) => each.transaction === transaction)),
    /** @param skipped heights without a block before it */
    mine(placed: TreeBlock['placed'], salt: number, skipped = 0) {
      let parent = tip
      for (let i = 0; i < skipped; i++) parent = add(parent, [], 0, true)
      choose(add(parent, placed, salt))
    },
    /** Replaces the newest blocks, as many as `depth`. @returns the transactions that they held */
    drop(depth: number): TreeBlock['placed'][] {
      const dropped: TreeBlock['placed'][] = []
      let at = tip
      for (let i = 0; i < depth && at.parent && at.height > Math.max(firstHeight + 1, final?.height ?? 0); i++) {
        dropped.unshift(at.placed)
        at = withBlock(at.parent)
      }
      choose(at)
      return dropped
    },
    allows,
    choose,
    abandoned: () => [...leaves].filter((leaf) => leaf !== tip && tip.height - leaf.height < 6 && allows(leaf)),
  }
}
export type Tree = ReturnType<typeof createTree>

export const headerOf = ({ height, id, parentId, time }: TreeBlock): BlockHeader => ({ height, id, parentId, time })
