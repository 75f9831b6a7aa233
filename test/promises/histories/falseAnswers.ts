import { createHash } from 'node:crypto'
import type { ProtocolDialect, View } from './dialect.ts'
import type { Transaction, Tree, TreeBlock } from './tree.ts'

/** Subjects of a node's false answers. `silence`: it answers that it has no data. */
export const falseAnswers = ['content', 'finality', 'absence', 'trace', 'height', 'fork', 'silence'] as const
export type FalseAnswer = (typeof falseAnswers)[number]

export interface Liar {
  /** Null: it is honest. */
  lie: FalseAnswer | null
  /** Decides which blocks it falsifies, and how. */
  salt: number
  /** False answers that it has served. */
  served: Set<FalseAnswer>
  /** A transaction that was never signed and pays a session; internal ones are visible only in traces. */
  invent(number: number, internal: boolean): Transaction
}

/**
 * The chain as a false node serves it. Its answers are random by block, but the same for a block until their
 * subject changes.
 */
export function lyingView(
  tree: Tree,
  { blockId, separateCalls }: Pick<ProtocolDialect, 'blockId' | 'separateCalls'>,
  liar: Liar,
): View {
  const made = new Map<string, TreeBlock>()
  const chance = (block: TreeBlock, of: number) =>
    (createHash('sha256').update(`${liar.salt} ${block.id}`).digest()[0] ?? 0) % of
  const served = () => {
    if (liar.lie) liar.served.add(liar.lie)
  }
  const keep = (key: string, make: () => TreeBlock) => {
    const known = made.get(`${liar.lie} ${liar.salt} ${key}`) ?? make()
    made.set(`${liar.lie} ${liar.salt} ${key}`, known)
    served()
    return known
  }

  /** Under the block's own id, with other content. */
  const altered = (block: TreeBlock, internal: boolean): TreeBlock =>
    keep(block.id, () => {
      const last = block.placed.at(-1)
      const invented = {
        transaction: liar.invent(chance(block, 251), internal),
        firstLog: last ? last.firstLog + last.transaction.transfers.length : 0,
      }
      const how = chance(block, 3)
      const [first, ...rest] = block.placed
      if (how === 0 || !first) return { ...block, placed: [...block.placed, invented] }
      if (how === 1) return { ...block, placed: rest }
      const transfers = first.transaction.transfers.map((each) => ({ ...each, amount: each.amount + 1000n }))
      return { ...block, placed: [{ ...first, transaction: { ...first.transaction, transfers } }, ...rest] }
    })

  /** The true block, with an invented call in its transactions. */
  const withCall = (block: TreeBlock): TreeBlock =>
    keep(block.id, () => {
      const [first, ...rest] = block.placed
      if (!first) return block
      const transfers = [...first.transaction.transfers, ...liar.invent(chance(block, 251), true).transfers]
      return { ...block, calls: [{ transaction: { ...first.transaction, transfers } }, ...rest] }
    })

  /** Another block with another id and an invented transaction. */
  const other = (block: TreeBlock, height = block.height): TreeBlock =>
    keep(`${block.id} ${height}`, () => {
      const content = `${block.content} ${liar.salt}`
      const made = {
        ...block,
        height,
        content,
        placed: [{ transaction: liar.invent(height % 251, false), firstLog: 0 }],
      }
      return { ...made, id: blockId(made) }
    })

  const seen = (block: TreeBlock | null): TreeBlock | null => {
    if (!block || block.skipped > 0) return block
    if (liar.lie === 'content' && chance(block, 2) === 0) return altered(block, false)
    if (liar.lie === 'trace' && chance(block, 2) === 0)
      return separateCalls ? withCall(block) : altered(block, true)
    if (liar.lie === 'fork' && block.height > tree.tip().height - 3) return other(block)
    if ((liar.lie === 'absence' && chance(block, 2) === 0) || liar.lie === 'silence') {
      served()
      return null
    }
    return block
  }
  const tip = (): TreeBlock => {
    const newest = tree.tip()
    if (liar.lie === 'height') {
      const further = [40, 1, 4000][liar.salt % 4]
      return further === undefined
        ? (tree.at(newest.height - 6) ?? newest)
        : other(newest, newest.height + further)
    }
    return liar.lie === 'fork' ? other(newest) : newest
  }
  return {
    tip,
    final: () => (liar.lie === 'finality' ? keep('final', tree.tip) && tree.tip() : tree.final()),
    at: (height) => seen(tree.at(height)),
    blocks: () => tree.blocks().flatMap((block) => seen(block) ?? []),
  }
}
