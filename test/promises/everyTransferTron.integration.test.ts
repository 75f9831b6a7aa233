import { afterAll, describe, expect, test } from '@jest/globals'
import type { Block, BlockReader, Transfer } from '../../src/chains/chain.ts'
import {
  startRecordedTron,
  type TronOptions,
  type TronRecording,
  tronHeaders,
  tronTokenBlock,
  wholeTronBlock,
} from '../support/recordedTron.ts'
import {
  type CountedTransfer,
  countTransfers,
  linesOf,
  rawTransactions,
  transfersAsRecorded,
} from './counting/tron/countTron.ts'
import { openReader } from './openReader.ts'
import { print } from './readRecorded.ts'

// Our reader uses each transaction's signed bytes, and logs. The count uses the JSON that the node decoded,
// and calls. Both must find the same transfers. Logs were not recorded: the node here adds the log that each
// token call must have emitted.

const wholeBlock = 'block-79072107.json'
const tokenCalls = 'trc20_block_78115149.json'

const asCounted = ({ txId, from, to, contract, amount }: Transfer): CountedTransfer => ({
  txId,
  from,
  to,
  contract,
  amount,
})

async function withReader<T>(
  recordings: readonly TronRecording[],
  options: TronOptions,
  use: (reader: BlockReader) => Promise<T>,
): Promise<T> {
  const node = await startRecordedTron(recordings, options)
  const { reader, close } = await openReader('tron', node.url)
  try {
    return await use(reader)
  } finally {
    await close()
    await node.close()
  }
}

/** Read at the head, and as a range far below it: both are the same on this chain. */
const readBlock = (recording: TronRecording, options: TronOptions = {}): Promise<Block> =>
  withReader([recording], options, async (reader) => {
    const { number } = recording.block_header.raw_data
    const block = await reader.block(number)
    if (!block) throw new Error(`block ${number} not found`)
    const [again] = await reader.blocks(number, number)
    expect(linesOf((again?.transfers ?? []).map(asCounted))).toEqual(linesOf(block.transfers.map(asCounted)))
    expect(new Set(block.transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(
      block.transfers.length,
    )
    return block
  })

describe('every transfer of a recorded block is found, as in the count by signed bytes and calls', () => {
  const rows: string[][] = [['tron', 'transactions', 'TRC-20', 'TRX']]
  const report = (name: string, transactions: number, transfers: readonly CountedTransfer[]) => {
    const tokens = transfers.filter(({ contract }) => contract !== null).length
    rows.push([name, `${transactions}`, `${tokens}`, `${transfers.length - tokens}`])
    return { tokens, native: transfers.length - tokens }
  }
  afterAll(() => {
    print(rows)
    print([['TRC-10 is not counted; neither TRX sent by contracts nor logs were recorded']])
  })

  test('TRX and the tokens of a whole block', async () => {
    const transactions = rawTransactions(wholeBlock)
    const counted = transactions.flatMap(countTransfers)
    const { transfers } = await readBlock(wholeTronBlock(), { withLogs: true })
    expect(linesOf(transfers.map(asCounted))).toEqual(linesOf(counted))
    report(`counted, ${wholeBlock}`, transactions.length, counted)
    const { tokens, native } = report('found', transactions.length, transfers.map(asCounted))
    expect(Math.min(tokens, native)).toBeGreaterThan(0)
  })

  test('a call without a log is not a token transfer', async () => {
    const counted = rawTransactions(wholeBlock).flatMap(countTransfers)
    const { transfers } = await readBlock(wholeTronBlock())
    expect(linesOf(transfers.map(asCounted))).toEqual(
      linesOf(counted.filter(({ contract }) => contract === null)),
    )
  })

  test('failed transactions transfer nothing, and all others are found', async () => {
    const transactions = rawTransactions(wholeBlock)
    const failed = new Set(transactions.filter((_, index) => index % 3 === 0).map(({ txID }) => txID))
    const counted = transactions.flatMap(countTransfers)
    const left = counted.filter(({ txId }) => !failed.has(txId))
    expect(left.length).toBeLessThan(counted.length)
    const { transfers } = await readBlock(wholeTronBlock(), {
      withLogs: true,
      failed: (txId) => failed.has(txId),
    })
    expect(linesOf(transfers.map(asCounted))).toEqual(linesOf(left))
    report('found, a third marked as failed', transactions.length, left)
  })

  test('tokens of a block decoded by others', async () => {
    const counted = transfersAsRecorded(tokenCalls)
    const block = tronTokenBlock()
    const { transfers } = await readBlock(block, { withLogs: true })
    expect(linesOf(transfers.map(asCounted))).toEqual(linesOf(counted))
    report(`decoded by others, ${tokenCalls}`, block.transactions?.length ?? 0, counted)
    expect(report('found', block.transactions?.length ?? 0, transfers.map(asCounted)).tokens).toBeGreaterThan(
      0,
    )
  })
})

describe('headers of mainnet', () => {
  const { recordings, ids, parentOfFirst } = tronHeaders()

  test("have their recorded ids, each its successor's parent", async () => {
    expect(recordings).toHaveLength(100)
    await withReader(recordings, {}, async (reader) => {
      const headers = await Promise.all(
        recordings.map(({ block_header }) => reader.header(block_header.raw_data.number)),
      )
      expect(headers.map((header) => header?.id)).toEqual(ids)
      expect(headers.map((header) => header?.parentId)).toEqual([parentOfFirst, ...ids.slice(0, -1)])
      expect((await reader.head()).id).toBe(ids.at(-1))
    })
  })

  test('are refused after any change', async () => {
    const [first] = recordings
    if (!first) throw new Error('no header was recorded')
    const { raw_data } = first.block_header
    const changes = [
      { timestamp: raw_data.timestamp + 1 },
      { txTrieRoot: raw_data.parentHash },
      { parentHash: raw_data.txTrieRoot },
      { version: raw_data.version + 1 },
      {
        witness_address: `${raw_data.witness_address.slice(0, -1)}${raw_data.witness_address.endsWith('0') ? '1' : '0'}`,
      },
    ]
    for (const change of changes) {
      const forged = { ...first, block_header: { raw_data: { ...raw_data, ...change } } }
      await withReader([forged], {}, (reader) =>
        expect(reader.header(raw_data.number)).rejects.toThrow(/not that of its header/),
      )
    }
  })
})
