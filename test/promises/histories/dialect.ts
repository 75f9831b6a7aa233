import type { BlockReader, Family, Transfer } from '../../../src/chains/chain.ts'
import type { SilenceOptions } from '../../../src/chains/providers/silence.ts'
import type { ConfiguredChain } from '../../../src/chains/registry.ts'
import type { ShapeOfTree, Tree, TreeBlock, TreeTransfer } from './tree.ts'

/** The chain as a node serves it. */
export type View = Pick<Tree, 'tip' | 'final' | 'at' | 'blocks'>

/** A node of a reader. */
export interface NodeOfView {
  name: string
  view: View
  point: ReadPoint
  /**
   * Called for each request: for the newest or newest final block, as polls request, or for a block's
   * content.
   */
  onRequest?(about: 'tip' | 'block'): void
}

/** The data of a reader. */
export interface Source {
  tree: Tree
  /** A provider can trace now. */
  tracing: boolean
}

/** Called before every answer of a node: here the chain may change, the provider fail, or the caller stop. */
export type ReadPoint = (where: 'read') => Promise<void>

/** A family's encoding of the tree. */
export interface Dialect extends ShapeOfTree {
  family: Family
  /** @param confirmations for chains with a depth rule; below that depth blocks are read in ranges */
  chain(confirmations: number): ConfiguredChain
  /** Contracts: the two accepted ones, and an unknown one. */
  usdc: string
  usdt: string
  unknownToken: string
  /** An address that is not watched. */
  unwatched: string
  /** Some heights have no block. */
  skips: boolean
  /** Pays to addresses of future sessions as well. */
  paysAhead: boolean
  /**
   * Addresses of the platform that are not deposit addresses: payments to them go to suspense. Derived from
   * deposit addresses.
   */
  undirected(addresses: readonly string[]): string[]
  transactionId(nonce: number, transfers: readonly TreeTransfer[]): string
  /** A block's transfers, by the chain's rules and the tree alone; without failed ones. */
  transfersOf(block: TreeBlock): Transfer[]
  readerOf(source: Source, point: ReadPoint): BlockReader
}

/** A family read by its own reader, from nodes in this process. */
export interface ProtocolDialect extends Dialect {
  /** Transfers by calls are requested separately, and the block's id does not commit to them. */
  separateCalls?: true
  readerOver(nodes: readonly NodeOfView[], silence: SilenceOptions): BlockReader
}
