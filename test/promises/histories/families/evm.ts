import { createHash } from 'node:crypto'
import { type Block, type BlockReader, ProviderError, type Transfer } from '../../../../src/chains/chain.ts'
import { sender, testChain, usdc } from '../../../support/indexed.ts'
import type { Dialect, ReadPoint, Source } from '../dialect.ts'
import { headerOf, type TransferKind, type TreeBlock } from '../tree.ts'

const hash = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

/** Ethereum, with a reader on the tree itself: the family has enough tests of its nodes' answers. */
export const evmDialect: Dialect = {
  family: 'evm',
  chain: (confirmations) => testChain({ ETHEREUM_CONFIRMATIONS: String(confirmations) }),
  usdc,
  usdt: '0xdac17f958d2ee523a2206206994597c13d831ec7',
  unknownToken: `0x${'f0'.repeat(20)}`,
  unwatched: `0x${'ee'.repeat(20)}`,
  finalDepth: null,
  skips: false,
  paysAhead: true,
  undirected: () => [],
  noParent: `0x${'00'.repeat(32)}`,
  transactionId: (nonce) => hash(`${nonce}`),
  blockId: ({ content }) => hash(content),
  transfersOf: (block) => transfersOf(block, (kind) => kind !== 'failed'),
  readerOf,
}

const transfersOf = (block: TreeBlock, which: (kind: TransferKind) => boolean): Transfer[] =>
  block.placed.flatMap(({ transaction, firstLog }) =>
    transaction.transfers.flatMap(({ kind, contract, to, amount }, index) => {
      if (!which(kind)) return []
      const keys = {
        log: `log:${firstLog + index}`,
        internal: `trace:${index}`,
        native: 'native',
        failed: 'native',
      }
      const movementKey = keys[kind]
      const native = kind === 'native' || kind === 'failed'
      return [
        {
          txId: transaction.id,
          movementKey,
          contract,
          from: sender,
          to,
          amount,
          ...(native ? { unproven: true as const } : {}),
        },
      ]
    }),
  )

/** A reader on the tree, with the behaviour of the family's reader. */
function readerOf(world: Source, point: ReadPoint): BlockReader {
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
    tips: async () => [{ source: 'tree', head: tree.tip().height, finalized: null }],
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
      if (!block || !world.tracing) throw new ProviderError(`no provider traces block ${height}`)
      return {
        ...headerOf(block),
        transfers: transfersOf(block, (kind) => kind === 'internal'),
        source: 'tree',
        traced: true,
      }
    },
    async succeeded({ height, id }, txIds) {
      await point('read')
      const block = tree.at(height)
      if (block?.id !== id) throw new ProviderError(`block ${height} was replaced`)
      const failed = new Set(transfersOf(block, (kind) => kind === 'failed').map(({ txId }) => txId))
      return new Set(txIds.filter((txId) => !failed.has(txId)))
    },
    crossCheck: async () => ({ said: 'cannot say', found: [] }),
    balances: async (addresses) => addresses.map(() => 0n),
    transaction: async () => null,
    verify: async () => {},
    sources: ['tree'],
    doubt: () => {},
    internalMethod: 'traces',
  }
  return reader
}
