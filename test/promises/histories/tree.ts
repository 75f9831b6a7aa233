import { createHash } from 'node:crypto'
import type { BlockHeader, Transfer } from '../../../src/chains/chain.ts'
import { sender } from '../../support/indexed.ts'

export const blockMs = 12_000
export const firstHeight = 100

/** `failed`: native value of a transaction that failed, which not every reading can tell. `internal`: only a trace shows it. */
type MovementKind = 'log' | 'native' | 'failed' | 'internal'

/** What somebody signed: it may stand in any block, of several branches, or in none. */
export interface Transaction {
  id: string
  movements: { kind: MovementKind; contract: string | null; to: string; amount: bigint }[]
}

export interface TreeBlock extends BlockHeader {
  parent: TreeBlock | null
  placed: { transaction: Transaction; firstLog: number }[]
  /** When it came into being, counted with the sessions. */
  born: number
}

/** Every block that was ever mined, and which of them are the chain now. The same content after the same parent is the same block. */
export function createTree(base: number, tick: () => number) {
  const known = new Map<string, TreeBlock>()
  const leaves = new Set<TreeBlock>()
  let canonical = new Map<number, TreeBlock>()
  let tip: TreeBlock
  let highest = 0

  function add(parent: TreeBlock | null, placed: TreeBlock['placed'], salt: number): TreeBlock {
    const height = parent ? parent.height + 1 : firstHeight
    const content = JSON.stringify([parent?.id, height, salt, placed.map(({ transaction, firstLog }) => [transaction.id, firstLog])])
    const id = `0x${createHash('sha256').update(content).digest('hex')}`
    const block = known.get(id) ?? {
      height,
      id,
      parentId: parent?.id ?? `0x${'00'.repeat(32)}`,
      time: new Date(base + (height - firstHeight) * blockMs + (salt % 5) * 1000),
      parent,
      placed,
      born: tick(),
    }
    known.set(id, block)
    if (parent) leaves.delete(parent)
    leaves.add(block)
    return block
  }

  function choose(block: TreeBlock): void {
    tip = block
    highest = Math.max(highest, block.height)
    canonical = new Map()
    for (let each: TreeBlock | null = block; each; each = each.parent) canonical.set(each.height, each)
  }

  tip = add(null, [], 0)
  for (let i = 0; i < 7; i++) tip = add(tip, [], 0)
  choose(tip)
  return {
    tip: () => tip,
    /** The chain was once this high. */
    highest: () => highest,
    at: (height: number) => canonical.get(height) ?? null,
    blocks: () => [...canonical.values()].sort((a, b) => a.height - b.height),
    has: (transaction: Transaction) => [...canonical.values()].some(({ placed }) => placed.some((each) => each.transaction === transaction)),
    mine: (placed: TreeBlock['placed'], salt: number) => choose(add(tip, placed, salt)),
    /** Replaces the newest blocks, as many as `depth`. @returns the transactions that they held */
    drop(depth: number): TreeBlock['placed'][] {
      const dropped: TreeBlock['placed'][] = []
      let at = tip
      for (let i = 0; i < depth && at.parent && at.height > firstHeight + 1; i++) {
        dropped.unshift(at.placed)
        at = at.parent
      }
      choose(at)
      return dropped
    },
    choose,
    abandoned: () => [...leaves].filter((leaf) => leaf !== tip && tip.height - leaf.height < 6),
  }
}
export type Tree = ReturnType<typeof createTree>

export const headerOf = ({ height, id, parentId, time }: TreeBlock): BlockHeader => ({ height, id, parentId, time })

export const transfersOf = (block: TreeBlock, which: (kind: MovementKind) => boolean): Transfer[] =>
  block.placed.flatMap(({ transaction, firstLog }) =>
    transaction.movements.flatMap(({ kind, contract, to, amount }, index) => {
      if (!which(kind)) return []
      const movementKey = kind === 'log' ? `log:${firstLog + index}` : kind === 'internal' ? `trace:${index}` : 'native'
      const native = kind === 'native' || kind === 'failed'
      return [{ txId: transaction.id, movementKey, contract, from: sender, to, amount, ...(native ? { unproven: true as const } : {}) }]
    }),
  )
