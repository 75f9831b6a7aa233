import { expect } from '@jest/globals'
import type { Block, BlockReader, Transfer } from '../../src/chains/chain.ts'
import { configuredChains } from '../../src/chains/configuration.ts'
import { connectChain } from '../../src/chains/connect.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { fixtureHeights } from '../fixtures/readFixture.ts'
import { full } from '../support/full.ts'
import { type RecordedChain, recordedChains, startRecordedNode } from '../support/recordedNode.ts'
import { type CountedTransfer, linesOf } from './counting/countedTransfer.ts'

// Serves recorded blocks of mainnet from a local node, and reads them with our reader through its public
// interface.

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
  /** Methods that the node lacks. */
  without: readonly string[]
  /** Read like blocks far below the head. */
  light: boolean
  /** The method that must have been used to read logs. */
  asks: 'eth_getBlockReceipts' | 'eth_getLogs'
  /** False: all answers are parsed. */
  readBytes?: boolean
}

export const byReceipts: Way = { name: 'receipts', without: [], light: false, asks: 'eth_getBlockReceipts' }
export const byHash: Way = {
  name: 'logs by hash',
  without: ['eth_getBlockReceipts'],
  light: false,
  asks: 'eth_getLogs',
}
export const byLight: Way = {
  name: 'receipts without transactions',
  without: [],
  light: true,
  asks: 'eth_getBlockReceipts',
}
/** The reference, which reads what is not understood from its bytes. */
const byParsing: Way = { ...byLight, readBytes: false }
export const ways = [byReceipts, byHash, byLight, ...(full ? [byParsing] : [])]

const tracing = ['debug_traceBlockByHash', 'debug_traceBlockByNumber', 'debug_traceTransaction']

const log = createLog('test', 'silent')
const observe = { called: () => {}, refused: () => {} }

/**
 * Serves one recorded block, and connects our reader to its node.
 * @param otherUrl another node to which the reader is connected
 */
export async function open({ chain, height }: Recorded, way: Way, traces: boolean, otherUrl?: string) {
  const node = await startRecordedNode(chain, [height])
  for (const method of [...way.without, ...(traces ? [] : tracing)]) node.without.add(method)
  const { chains, mistakes } = configuredChains({
    [`${chain.toUpperCase()}_RPC_URLS`]: otherUrl ? `${otherUrl},${node.url}` : node.url,
  })
  const [configured] = chains
  if (!configured || mistakes.length > 0) throw new Error(`${chain} is not configured: ${mistakes}`)
  const connection = await connectChain(configured, {
    timeoutMs: 10_000,
    observe,
    log,
    readBytes: way.readBytes ?? true,
  })
  const close = async () => {
    await connection.close()
    await node.close()
  }
  await connection.reader.verify()
  node.calls.clear()
  return { node, reader: connection.reader, close }
}

/** The block in its final form for the indexer: unproven native transfers are checked. */
export async function read(reader: BlockReader, height: number, way: Way): Promise<Block> {
  const block = await reader.block(height)
  if (!block) throw new Error(`block ${height} not found`)
  if (way.light) await expectLight(reader, block)
  const open = block.transfers.filter((transfer) => transfer.unproven)
  if (open.length === 0) return block
  const succeeded = await reader.succeeded?.(
    block,
    open.map(({ txId }) => txId),
  )
  return {
    ...block,
    transfers: block.transfers.filter(({ unproven, txId }) => !unproven || succeeded?.has(txId)),
  }
}

/**
 * Without transactions a block has the same tokens and withdrawals, and lists all recipients of the native
 * coin, for whom it is read whole.
 */
async function expectLight(reader: BlockReader, whole: Block): Promise<void> {
  const [light] = await reader.blocks(whole.height, whole.height)
  const tokens = whole.transfers.filter((each) => each.contract !== null || isWithdrawal(each))
  expect(linesOf((light?.transfers ?? []).map(asCounted))).toEqual(linesOf(tokens.map(asCounted)))
  const unread = new Set(light?.unread)
  const inReceipts = whole.transfers.filter(
    ({ contract, movementKey }) => contract === null && !/^(trace|withdrawal):/.test(movementKey),
  )
  expect(inReceipts.filter(({ to }) => !unread.has(to))).toEqual([])
}

const isWithdrawal = ({ movementKey }: Pick<Transfer, 'movementKey'>) => movementKey.startsWith('withdrawal:')

function kindOf({
  contract,
  movementKey,
}: Pick<Transfer, 'contract' | 'movementKey'>): CountedTransfer['kind'] {
  if (contract !== null) return 'erc20'
  if (movementKey === 'native') return 'native'
  return isWithdrawal({ movementKey }) ? 'withdrawal' : 'internal'
}

export const asCounted = ({ txId, movementKey, contract, from, to, amount }: Transfer): CountedTransfer => ({
  kind: kindOf({ contract, movementKey }),
  txHash: txId,
  from,
  to,
  contract,
  amount,
})

/** Prints a table after the run. */
export const print = (rows: readonly string[][]) => {
  const widths = rows.reduce<number[]>(
    (max, row) => row.map((cell, i) => Math.max(max[i] ?? 0, cell.length)),
    [],
  )
  process.stdout.write(
    `\n${rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')).join('\n')}\n`,
  )
}
