import { createHash } from 'node:crypto'
import type { SpokenDialect, View } from './dialect.ts'
import type { Transaction, Tree, TreeBlock } from './tree.ts'

/** What a node can lie about. `silence`: it says that it has nothing. */
export const lies = ['content', 'finality', 'absence', 'trace', 'height', 'fork', 'silence'] as const
export type Lie = (typeof lies)[number]

export interface Liar {
  /** null: it tells the truth. */
  lie: Lie | null
  /** Decides which blocks it lies about, and how. */
  salt: number
  /** What it was asked for and lied about. */
  told: Set<Lie>
  /** A transaction that was never signed, and pays a session; internal ones only a trace shows. */
  invent(number: number, internal: boolean): Transaction
}

/** The chain as a node tells it that lies. Which blocks it lies about is chance; of one block it says the same as long as it lies alike. */
export function lyingView(tree: Tree, { blockId, callsApart }: Pick<SpokenDialect, 'blockId' | 'callsApart'>, liar: Liar): View {
  const made = new Map<string, TreeBlock>()
  const chance = (block: TreeBlock, of: number) => (createHash('sha256').update(`${liar.salt} ${block.id}`).digest()[0] ?? 0) % of
  const lied = () => {
    if (liar.lie) liar.told.add(liar.lie)
  }
  const keep = (key: string, make: () => TreeBlock) => {
    const known = made.get(`${liar.lie} ${liar.salt} ${key}`) ?? make()
    made.set(`${liar.lie} ${liar.salt} ${key}`, known)
    lied()
    return known
  }

  /** Under the block's own name: what it holds is not what it names. */
  const altered = (block: TreeBlock, internal: boolean): TreeBlock =>
    keep(block.id, () => {
      const last = block.placed.at(-1)
      const invented = {
        transaction: liar.invent(chance(block, 251), internal),
        firstLog: last ? last.firstLog + last.transaction.movements.length : 0,
      }
      const how = chance(block, 3)
      const [first, ...rest] = block.placed
      if (how === 0 || !first) return { ...block, placed: [...block.placed, invented] }
      if (how === 1) return { ...block, placed: rest }
      const movements = first.transaction.movements.map((each) => ({ ...each, amount: each.amount + 1000n }))
      return { ...block, placed: [{ ...first, transaction: { ...first.transaction, movements } }, ...rest] }
    })

  /** The block as it is, and in its transactions a call that never was. */
  const withCall = (block: TreeBlock): TreeBlock =>
    keep(block.id, () => {
      const [first, ...rest] = block.placed
      if (!first) return block
      const movements = [...first.transaction.movements, ...liar.invent(chance(block, 251), true).movements]
      return { ...block, calls: [{ transaction: { ...first.transaction, movements } }, ...rest] }
    })

  /** Another block, of another name, with what was never signed. */
  const other = (block: TreeBlock, height = block.height): TreeBlock =>
    keep(`${block.id} ${height}`, () => {
      const content = `${block.content} ${liar.salt}`
      const made = { ...block, height, content, placed: [{ transaction: liar.invent(height % 251, false), firstLog: 0 }] }
      return { ...made, id: blockId(made) }
    })

  const seen = (block: TreeBlock | null): TreeBlock | null => {
    if (!block || block.skipped > 0) return block
    if (liar.lie === 'content' && chance(block, 2) === 0) return altered(block, false)
    if (liar.lie === 'trace' && chance(block, 2) === 0) return callsApart ? withCall(block) : altered(block, true)
    if (liar.lie === 'fork' && block.height > tree.tip().height - 3) return other(block)
    if ((liar.lie === 'absence' && chance(block, 2) === 0) || liar.lie === 'silence') {
      lied()
      return null
    }
    return block
  }
  const tip = (): TreeBlock => {
    const newest = tree.tip()
    if (liar.lie === 'height') {
      const further = [40, 1, 4000][liar.salt % 4]
      return further === undefined ? (tree.at(newest.height - 6) ?? newest) : other(newest, newest.height + further)
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
