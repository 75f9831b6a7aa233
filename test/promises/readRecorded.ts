import { expect } from '@jest/globals'
import type { Block, BlockReader, Transfer } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import { createLog } from '../../src/platform/log.ts'
import { fixtureHeights } from '../fixtures/readFixture.ts'
import { type RecordedChain, recordedChains, startRecordedNode } from '../support/recordedNode.ts'
import { linesOf, type Movement } from './counting/movement.ts'

// Blocks of mainnet, as nodes answered them, are served by a node of our own and read by our reader through its public face.

export interface Recorded {
  chain: RecordedChain
  height: number
  name: string
}

export const recorded: Recorded[] = recordedChains.flatMap((chain) =>
  fixtureHeights(chain).map((height) => ({ chain, height, name: `${chain} ${height}` })),
)

export interface Way {
  name: string
  /** Methods that the node does not have. */
  without: readonly string[]
  /** Read as blocks far below the head are. */
  light: boolean
  /** What the logs must have been asked by, or something else was tested. */
  asks: 'eth_getBlockReceipts' | 'eth_getLogs'
}

export const byReceipts: Way = { name: 'receipts', without: [], light: false, asks: 'eth_getBlockReceipts' }
export const byHash: Way = { name: 'logs by hash', without: ['eth_getBlockReceipts'], light: false, asks: 'eth_getLogs' }
export const byLight: Way = { name: 'receipts without transactions', without: [], light: true, asks: 'eth_getBlockReceipts' }
export const ways = [byReceipts, byHash, byLight]

const tracing = ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'debug_traceTransaction']

const log = createLog('test', 'silent')
const observe = { called: () => {}, refused: () => {} }

/**
 * A recorded block, served alone, and our reader connected to its node.
 * @param besides the URL of another node that the reader is connected to
 */
export async function open({ chain, height }: Recorded, way: Way, traces: boolean, besides?: string) {
  const node = await startRecordedNode(chain, [height])
  for (const method of [...way.without, ...(traces ? [] : tracing)]) node.without.add(method)
  const { chains, mistakes } = configuredChains({ [`${chain.toUpperCase()}_RPC_URLS`]: besides ? `${besides},${node.url}` : node.url })
  const [configured] = chains
  if (!configured || mistakes.length > 0) throw new Error(`${chain} is no chain of ours: ${mistakes}`)
  const connection = await connectChain(configured, { timeoutMs: 10_000, observe, log })
  const close = async () => {
    await connection.close()
    await node.close()
  }
  await connection.reader.verify()
  node.calls.clear()
  return { node, reader: connection.reader, close }
}

/** The block as the indexer has it in the end: what was open about native transfers is settled. */
export async function read(reader: BlockReader, height: number, way: Way): Promise<Block> {
  const block = await reader.block(height)
  if (!block) throw new Error(`there is no block ${height}`)
  if (way.light) await expectLight(reader, block)
  const open = block.transfers.filter((transfer) => transfer.unproven)
  if (open.length === 0) return block
  const succeeded = await reader.succeeded?.(
    block,
    open.map(({ txId }) => txId),
  )
  return { ...block, transfers: block.transfers.filter(({ unproven, txId }) => !unproven || succeeded?.has(txId)) }
}

/** Without its transactions a block tells the same of tokens and withdrawals, and everybody who received the native coin: who then reads it whole. */
async function expectLight(reader: BlockReader, whole: Block): Promise<void> {
  const [light] = await reader.blocks(whole.height, whole.height)
  const tokens = whole.transfers.filter((each) => each.contract !== null || isWithdrawal(each))
  expect(linesOf((light?.transfers ?? []).map(movementOf))).toEqual(linesOf(tokens.map(movementOf)))
  const unread = new Set(light?.unread)
  const inReceipts = whole.transfers.filter(({ contract, movementKey }) => contract === null && !/^(trace|withdrawal):/.test(movementKey))
  expect(inReceipts.filter(({ to }) => !unread.has(to))).toEqual([])
}

const isWithdrawal = ({ movementKey }: Pick<Transfer, 'movementKey'>) => movementKey.startsWith('withdrawal:')

export const movementOf = ({ txId, movementKey, contract, from, to, amount }: Transfer): Movement => ({
  kind: contract !== null ? 'erc20' : movementKey === 'native' ? 'native' : isWithdrawal({ movementKey }) ? 'withdrawal' : 'internal',
  txHash: txId,
  from,
  to,
  contract,
  amount,
})

/** For whoever reads the run. */
export const print = (rows: readonly string[][]) => {
  const widths = rows.reduce<number[]>((max, row) => row.map((cell, i) => Math.max(max[i] ?? 0, cell.length)), [])
  process.stdout.write(`\n${rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n')}\n`)
}
