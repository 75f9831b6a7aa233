import type { BlockReader, Family, Transfer } from '../../../src/chains/chain.ts'
import type { SilenceOptions } from '../../../src/chains/providers/silence.ts'
import type { ConfiguredChain } from '../../../src/chains/registry.ts'
import type { Movement, ShapeOfTree, Tree, TreeBlock } from './tree.ts'

/** The chain as a node has it. */
export type View = Pick<Tree, 'tip' | 'final' | 'at' | 'blocks'>

/** One of the nodes that a reader asks. */
export interface NodeOfView {
  name: string
  view: View
  point: ReadPoint
  /** What it is asked for: the newest block or the newest final one, as polls do, or what a block holds. */
  heard?(about: 'tip' | 'block'): void
}

/** What a reader reads. */
export interface Source {
  tree: Tree
  /** Whether a provider can trace now. */
  tracing: boolean
}

/** Is passed before every answer of a node: there the chain may change, the provider fail, or whoever asked end. */
export type ReadPoint = (where: 'read') => Promise<void>

/** How a family writes down what the tree holds. */
export interface Dialect extends ShapeOfTree {
  family: Family
  /** @param confirmations where depth is the chain's own rule; and below it blocks are read in ranges */
  chain(confirmations: number): ConfiguredChain
  /** Contracts: the two that are accepted, and one that nobody knows. */
  usdc: string
  usdt: string
  nameless: string
  /** An address that nobody watches. */
  stranger: string
  /** Heights may lack a block. */
  skips: boolean
  /** Addresses that no session has yet are paid as well. */
  paysAhead: boolean
  /** Addresses of the platform that are no deposit's: money that comes there waits in suspense. By those that are. */
  undirected(addresses: readonly string[]): string[]
  transactionId(nonce: number, movements: readonly Movement[]): string
  /** What a block moves, by the chain's rules and the tree alone; without what failed. */
  transfersOf(block: TreeBlock): Transfer[]
  readerOf(source: Source, point: ReadPoint): BlockReader
}

/** A family that is read by its own reader, over nodes of this process. */
export interface SpokenDialect extends Dialect {
  /** What calls moved is asked for by itself, and no block's name tells it. */
  callsApart?: true
  readerOver(nodes: readonly NodeOfView[], silence: SilenceOptions): BlockReader
}
