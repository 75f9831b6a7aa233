import { type Block, type BlockReader, ProviderError } from '../../../src/chains/chain.ts'
import { headerOf, type Tree, type TreeBlock, transfersOf } from './tree.ts'

export interface Source {
  tree: Tree
  /** Whether a provider can trace now. */
  tracing: boolean
}

/** Reads the tree as a family reads its chain. @param point is passed before every answer: there the chain may change, or the reader fail */
export function readerOf(world: Source, point: (where: 'read') => Promise<void>): BlockReader {
  const { tree } = world
  const whole = (block: TreeBlock): Block => ({
    ...headerOf(block),
    transfers: transfersOf(block, (kind) => kind !== 'internal' || world.tracing),
    source: 'tree',
    traced: world.tracing,
  })
  const reader: BlockReader = {
    async head() {
      await point('read')
      return headerOf(tree.tip())
    },
    finalized: async () => null,
    async header(height) {
      await point('read')
      const block = tree.at(height)
      return block && headerOf(block)
    },
    async block(height) {
      await point('read')
      const block = tree.at(height)
      return block && whole(block)
    },
    async blocks(from, to) {
      const blocks: Block[] = []
      for (let height = from; height <= to; height++) {
        await point('read')
        const block = tree.at(height)
        if (!block) throw new ProviderError(`no block ${height}`)
        blocks.push({
          ...headerOf(block),
          transfers: transfersOf(block, (kind) => kind === 'log'),
          unread: transfersOf(block, (kind) => kind === 'native').map(({ to }) => to),
          source: 'tree',
          traced: false,
        })
      }
      return blocks
    },
    async internal(height) {
      await point('read')
      const block = tree.at(height)
      if (!block || !world.tracing) throw new ProviderError(`nobody traces block ${height}`)
      return { ...headerOf(block), transfers: transfersOf(block, (kind) => kind === 'internal'), source: 'tree', traced: true }
    },
    async succeeded({ height, id }, txIds) {
      await point('read')
      const block = tree.at(height)
      if (block?.id !== id) throw new ProviderError(`block ${height} is another one now`)
      const failed = new Set(transfersOf(block, (kind) => kind === 'failed').map(({ txId }) => txId))
      return new Set(txIds.filter((txId) => !failed.has(txId)))
    },
    witness: async () => 'cannot say',
    balances: async (addresses) => addresses.map(() => 0n),
    transaction: async () => null,
    verify: async () => {},
    internalMethod: 'traces',
  }
  return reader
}
